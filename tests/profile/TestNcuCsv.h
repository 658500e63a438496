// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestNcuCsv : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void launchesWithUnits();
    void whatIsPrintedAroundIsPassedOver();
    void refusalsAreNamed_data();
    void refusalsAreNamed();
    void bothNamesAreKnown();
};
