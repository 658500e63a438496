// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium {

class CardTest : public QObject {
    Q_OBJECT
private slots:
    void everyCardLoadsAndReadsBack();
    void everyCardKnowsItsOperators();
    void shapesAgreeWithTheFacts();
    void flopsAgreeWithPyTorchsCounter();
    void everySmallCardEvaluates();
    void evaluatesByHand();
    void costsByHand();
    void refusesWhatDoesNotFit();
    void fixedValuesAreReadBack();
    void evaluatesSizes();
    void bindsNestedCalls();
    void refusesBadCards();
    void refusesReferencesThatLeadNowhere_data();
    void refusesReferencesThatLeadNowhere();
};

} // namespace kernelarium
