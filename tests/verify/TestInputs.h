// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestInputs : public QObject {
    Q_OBJECT
private slots:
    void everyRunBeginsWithTheFirstPoison();
    void philoxMatchesThePublishedVectors();
    void theSameSeedDrawsTheSameBits();
    void wideTensorsAreDrawnAsNarrowOnes();
    void batchesHoldTheBitsOfSingleDraws();
    void rampsWeighEveryDimension();
    void normalNumbersAreNormal();
    void wholeNumbersCoverTheirRange();
    void anotherStreamMovesEveryDistribution();
    void structureIsThere();
    void theOwnExponentialIsRight();
    void argumentsKeepOrderAndNesting();
    void whatWasDrawnIsKept();
    void noMoreIsKeptThanAsked();
};
