// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestRooflinePlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void emptyStateTeachesAndAsks();
    void pointsStandWhereTheirFiguresSay();
    void workWithoutFlopsIsNotDrawn();
    void measuredRoofsStandBesideTheDataSheet();
    void everythingIsInTheFirstView();
    void labelsKeepOffRoofsAndEachOther_data();
    void labelsKeepOffRoofsAndEachOther();
    void leadersCrossNoLabel();
    void hoverTellsTheRecordAndWhy();
    void theCardStaysWhileThePointDoes();
    void clickSelects();
    void arrowsWalkThePoints();
    void theWheelZoomsAtTheCursor();
    void dragMovesAndIsNoClick();
    void doubleClickShowsEverything();
    void theFastestAttemptIsTheBest();
    void roofsCanBeHidden();
    void referencesStandOnTheRoof();
    void numbersAreATable();
    void menuOffersEverything();
    void picturesAreSaved();
    void svgIsInThePaletteAskedFor();
    void anotherDeviceIsSaid();
    void pictures();
};
