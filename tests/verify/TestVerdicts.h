// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestVerdicts : public QObject {
    Q_OBJECT
private slots:
    void honestKernelIsVerified();
    void checksTellOfThemselves();
    void endsOfARunBecomeVerdicts_data();
    void endsOfARunBecomeVerdicts();
    void unwrittenOutputIsWrong();
    void recycledMemoryIsWrong();
    void wrongValuesEndEarly();
    void looseResultIsVerifiedWithARemark();
    void halfPrecisionIsARemark();
    void aHalfPrecisionTaskIsRounded();
    void whatFloat32DoesNotFeelNobodyHasToFeel();
    void changedInputIsSuspicious();
    void damagedGuardBandIsAFault();
    void wrongValuesNameTheirFault();
    void faultsLeavingAnAllocationAreFaults();
    void ignoredInputIsSuspicious();
    void anIllConditionedTaskIsARemark();
    void statisticsMayBeUpdated();
    void weakTaskIsARemark();
    void libraryWorkIsARemark();
    void withoutReferenceItIsUnverifiable();
    void wrongGoesBeforeFault();
    void aContradictedClaimIsToldWithTheCallThatFailed();
    void cancelIsAnError();
    void kernelAsReference();
};
