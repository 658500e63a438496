// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestRoofline : public QObject {
    Q_OBJECT
private slots:
    void placesArchivedKernels();
    void drawsAPlot();
    void drawsMeasuredRoofsWhereThereAreSome();
    void badInputIsRefused_data();
    void badInputIsRefused();
};
