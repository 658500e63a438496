// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// hgemm bench, compare, tune, emit, run-published and import, as far as they go without a GPU.
class TestHgemmCommand : public QObject {
    Q_OBJECT
private slots:
    void theShippedTableIsEmitted_data();
    void theShippedTableIsEmitted();
    void oneOfTwoDevicesIsChosen();
    void badOptionsAreNamed_data();
    void badOptionsAreNamed();
    void badTablesAreNamed_data();
    void badTablesAreNamed();
    void anEmptyTableSaysNothing();
    void outputNeedsItsFolder();
    void withoutAGpuNothingIsMeasured_data();
    void withoutAGpuNothingIsMeasured();
    void whyAPublishedKernelDoesNotCompile();
    void importedTablesHaveAMode();
};
