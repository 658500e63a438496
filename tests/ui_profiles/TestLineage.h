// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestLineage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void emptyStateTeaches();
    void kernelsStandInTheOrderOfTheirMaking();
    void bestSoFarIsOfWhatStandsAsCorrect();
    void clickAndKeysPutAKernelOnTheBench();
    void hoverTellsTheRecord();
    void anyTwoAreCompared();
    void itIsExported();
    void pictures();
};

} // namespace kernelarium::ui
