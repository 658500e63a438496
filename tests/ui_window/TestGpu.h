// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

namespace kernelarium::ui {

/// A GPU in the window, with a run child that answers as if it had one.
class TestGpu : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void theMenuSaysWhatIsThereAndWhatIsMissing();
    void theLoopRunsOnAGpu();
    void theDeviceIsMeasuredAndItsRoofsAreDrawn();
    void ceilingsAreAModel();

private:
    QTemporaryDir m_data;
};

} // namespace kernelarium::ui
