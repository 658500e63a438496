// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Every starter kernel makes the same launches on the GPU as in the emulator, through the program itself.
class TestLaunchLists : public QObject {
    Q_OBJECT

private slots:
    void starterKernelsLaunchTheSame_data();
    void starterKernelsLaunchTheSame();
};
