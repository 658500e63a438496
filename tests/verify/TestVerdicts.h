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
    void changedInputIsSuspicious();
    void damagedGuardBandIsAFault();
    void faultsLeavingAnAllocationAreFaults();
    void uninitialisedReadCountsWhenItShows();
    void harmlessUninitialisedReadIsARemark();
    void ignoredInputIsSuspicious();
    void hardCodedSeedIsWrong();
    void cachedResultIsSuspicious();
    void callsAreAsManyAsMemoryHolds_data();
    void callsAreAsManyAsMemoryHolds();
    void idleKernelsAreSuspicious();
    void anotherShapeIsTried();
    void anIllConditionedTaskIsARemark();
    void statisticsMayBeUpdated();
    void weakTaskIsARemark();
    void libraryWorkIsARemark();
    void withoutReferenceItIsUnverifiable();
    void wrongGoesBeforeFault();
    void lostUpdatesAreFaultsWhetherLostOrNot();
    void otherOrdersAreTriedWhereTheyMatter_data();
    void otherOrdersAreTriedWhereTheyMatter();
    void cancelIsAnError();
    void kernelAsReference();
};
