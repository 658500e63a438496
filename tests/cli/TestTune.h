// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Sweeps from the command line: what they find, keep, resume and merge.
class TestTune : public QObject {
    Q_OBJECT
private slots:
    void findsTheBestThatIsRight();
    void wrongOnesAreNeverBest();
    void aKilledSweepGoesOn();
    void shardsMakeTheSameTable();
    void textsOfPoints();
    void whatCannotLaunchIsNotCompiled();
    void strategiesAreCompared();
    void theBudgetIsKept();
    void badInputIsNamed_data();
    void badInputIsNamed();
};
