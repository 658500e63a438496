// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Search against a naive look through every text.
class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void findsWhatANaiveScanFinds_data();
    void findsWhatANaiveScanFinds();
    void findsRandomPieces();
    void sortsOutWhatHasOnlyThePieces();
    void looksUpChoicesOfCharacters_data();
    void looksUpChoicesOfCharacters();
    void keepsTextsUpToABound();
    void searchesNames();
    void saysWhereTheMatchIs();
    void filtersSortsAndPages();
    void takesTheNeedleLiterally();
    void findsInAHugeText();
    void refusesAnEmptyText();
    void stops();
};
