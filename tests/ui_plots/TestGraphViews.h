// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestGraphViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void everyCardIsLaidOutWithoutOverlap();
    void kindsOfNodesDiffer();
    void nodesTellTheirCosts();
    void graphKeysWalkAlongEdges();
    void graphClickActivates();
    void graphZoomsAndShowsAll();
    void graphPictures();
    void errorMapEmptyState();
    void errorMapCellsTellTheirElements();
    void errorMapKeysWalkAndFindTheNextWrong();
    void errorMapClickNamesTheElement();
    void errorMapPictures();
};
