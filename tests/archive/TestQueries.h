// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Lists, lookups, the whole table and statistics against a naive computation over the same rows.
class TestQueries : public QObject {
    Q_OBJECT
private slots:
    void classesAreThoseOfTheFunction();
    void filtersLikeANaiveLoop_data();
    void filtersLikeANaiveLoop();
    void sortsLikeANaiveSort_data();
    void sortsLikeANaiveSort();
    void pages();
    void loadsTheWholeTable();
    void findsByNumberAndLabel();
    void refusesAmbiguousIds();
    void countsLikeANaiveLoop();
    void statisticsOfNothing();
};
