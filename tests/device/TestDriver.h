// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Finding the driver and saying what is missing: needs no GPU.
class TestDriver : public QObject {
    Q_OBJECT

private slots:
    void anAbsentLibraryIsNamed();
    void anotherLibraryIsNoDriver();
    void theToolkitsStubIsNoDriver();
    void statusesBecomeErrors_data();
    void statusesBecomeErrors();
    void faultsLoseTheContext();
    void outputIsCaptured();
    void aListOfDevicesTravels();
    void theGpuIsDescribed();
};
