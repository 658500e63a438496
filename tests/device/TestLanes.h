// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestLanes : public QObject {
    Q_OBJECT
private slots:
    void oneStreamIsOneLane();
    void independentStreamsOverlap();
    void eventsAndHostWaitsOrder();
    void theDefaultStreamOrdersBlockingOnes();
    void copiesComeBetween();
    void whatIsKnownIsNotAwaitedTwice();
};
