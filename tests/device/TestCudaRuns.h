// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Whole files run on the GPU, held against the same files in the emulator.
class TestCudaRuns : public QObject {
    Q_OBJECT

private slots:
    void theEmulatorRunsThem_data();
    void theEmulatorRunsThem();
    void bothBackendsAgree_data();
    void bothBackendsAgree();
    void unwrittenOutputsShowThePoison();
    void staticsLiveFromCallToCall();
    void skippedLaunchesLeaveNoTrace();
    void streamsThatNothingOrdersRunTheOtherWayRound();
    void everyRunStartsAnew();
    void tooMuchMemoryIsTorchsError();
    void ptxStandsInForACubin();
    void whatOnlyTheEmulatorTellsIsRefused();
    void filesWithoutKernelsRun();
};
