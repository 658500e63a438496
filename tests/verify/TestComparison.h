// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void equalIsRight();
    void toleranceScalesWithTheReference();
    void firstMismatchIsNamed();
    void nanNeverPassesWhereTheReferenceHasNone();
    void infinitiesMustMatch();
    void overflowOfTheOutputTypeIsRight();
    void wholeNumbersMustBeEqual();
    void unitDimensionsAreARemark();
    void otherShapesAreWrong();
    void typesAreCompared();
    void statisticsAreThose();
    void largeOutputsAreJudgedInOrder();
};
