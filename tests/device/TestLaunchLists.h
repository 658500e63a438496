// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QObject>

/// Every starter kernel makes the same launches on the GPU as in the emulator, through the program itself.
class TestLaunchLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void starterKernelsLaunchTheSame_data();
    void starterKernelsLaunchTheSame();

private:
    struct Runs {
        QJsonObject gpu, emulated;
    };
    QMap<QString, Runs> m_runs; ///< by kernel
};
