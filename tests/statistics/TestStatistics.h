// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Curves, rankings, words and lineage on rows made for the purpose.
class TestStatistics : public QObject {
    Q_OBJECT
private slots:
    void binsTakeTheirLowerEdge();
    void operatorClasses_data();
    void operatorClasses();
    void rowsBehindNumbersAreAsMany();
    void rowsBehindCurvesTasksAndWordsAreAsMany();
    void findingsWithAndWithoutWhatFails();
    void rowsBehindProfilesAreAsMany();
    void rankingIsByTask();
    void lineageInTheOrderMade();
    void emptyArchive();
};
