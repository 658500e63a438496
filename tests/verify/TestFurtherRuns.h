// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What running a kernel again shows: other inputs, memory, orders and shapes.
class TestFurtherRuns : public QObject {
    Q_OBJECT

private slots:
    void uninitialisedReadCountsWhenItShows();
    void harmlessUninitialisedReadIsARemark();
    void hardCodedSeedIsWrong();
    void cachedResultIsSuspicious();
    void callsAreAsManyAsMemoryHolds_data();
    void callsAreAsManyAsMemoryHolds();
    void idleKernelsAreSuspicious();
    void anotherShapeIsTried();
    void lostUpdatesAreFaultsWhetherLostOrNot();
    void otherOrdersAreTriedWhereTheyMatter_data();
    void otherOrdersAreTriedWhereTheyMatter();
    void aLessExactLibraryMayChooseAnotherAlgorithm();
    void aCrashAtAnotherShapeSpoilsNoOtherRun();
};
