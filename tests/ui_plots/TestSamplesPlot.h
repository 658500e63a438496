// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestSamplesPlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void emptyStateTeachesAndAsks();
    void binsHoldEverySampleThatCounts();
    void twoSetsShareBinsAndTellWhoIsFaster();
    void oneSampleIsDrawn();
    void hoverTellsTheBin();
    void numbersAreAllSamples();
    void factsNameWhatWasMeasured();
};
