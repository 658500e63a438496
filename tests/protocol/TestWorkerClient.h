// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestWorkerClient : public QObject {
    Q_OBJECT
private slots:
    void itAnswers();
    void largeRequestsPass();
    void strayPrintsStayOut();
    void aCrashIsNamedAndSurvived();
    void aChildMaySayThatItEnds();
    void aChildThatExitsIsNamed();
    void outOfMemoryCostsOneRequest();
    void exceptionsAreAnswered();
    void aHangIsKilled();
    void cancelEndsARequest();
    void cancelOfAHangKills();
    void partialResultsComeBeforeTheEnd();
    void aMissingProgramIsNamed();
    void aStoppedChildIsNamed();
    void childrenGetOnlyWhatTheyNeedOfTheEnvironment();
    void aProgramThatIsNoWorkerIsNamed();
    void brokenLinesAreAnsweredAndSurvived();
    void aHugeLineIsAnsweredAndSurvived();
    void aNewerRequestOfTheSameTagWins();
    void cancelReachesWaitingRequests();
    void theEndOfInputEndsTheChild();
    void theChildDiesWithItsParent();
};
