// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Sweeps whose points are measured.
class TestTuneOnGpu : public QObject {
    Q_OBJECT

private slots:
    void theWinnerIsConfirmedInAFreshProcess();
};
