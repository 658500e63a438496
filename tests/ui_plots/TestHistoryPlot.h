// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestHistoryPlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void emptyStateTeachesAndAsks();
    void devicesAndSizesNeverMix();
    void theFilterStaysWhereTheReaderPutIt();
    void referencesOfOtherSizesAreNotShown();
    void onlyVerifiedAttemptsAreTheBest();
    void hoverTellsTheRecord();
    void cardsGoWithTheirPoints();
    void clickAndKeysSelect();
    void keysAskForMore();
    void quartilesAreTold();
    void menuAsksForTheMarkUnderIt();
    void menuOpensByMouseAndKeys();
    void noVerdictIsNoBlame();
    void timeAxisPlacesByTheClock();
    void numbersAreOfWhatIsShown();
    void svgHasTheLines();
    void pictures();
};
