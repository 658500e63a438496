// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What hgemm emit writes, compiled and run in the emulator; and what hgemm recorded shows.
class TestEmittedProducts : public QObject {
    Q_OBJECT
private slots:
    void everyShapeIsRight_data();
    void everyShapeIsRight();
    void whatServesIsSaid();
    void sumsInFloat16AreAskedFor();
    void recorded_data();
    void recorded();
    void notRecorded_data();
    void notRecorded();
};
