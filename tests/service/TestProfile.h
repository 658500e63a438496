// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestProfile : public QObject {
    Q_OBJECT
private slots:
    void runsCarryCountersOnRequest();
    void verificationsCarryCounters();
    void verdictsSayHowTheKernelWasCompiled();
    void aProductDoesItsOperations();
    void fullSizesAreSampled();
    void libraryCallsAreCostedNotComputed();
    void repeatedLaunchesAreCountedOnce();
    void unknownDevicesAreRefused();
    void parametersAndSummariesComeBack();
};
