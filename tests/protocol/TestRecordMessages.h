// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestRecordMessages : public QObject {
    Q_OBJECT
private slots:
    void requestsTravel();
    void recordingsTravelInPages();
    void lanesThatAgreeTravelOnce();
    void damagedOnesAreRefused_data();
    void damagedOnesAreRefused();
};
