// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The kernels that find a device's ceilings: they assemble for every architecture, and do the work that they are timed
/// for.
class TestCeilings : public QObject {
    Q_OBJECT

private slots:
    void assembleEverywhere_data();
    void assembleEverywhere();
    void everyProbeHasItsKernel();
    void theWaitingKernelAssembles();
    void memoryKernelsMoveEveryByte();
    void chainsTakeEveryStep();
    void productsOfOnes_data();
    void productsOfOnes();
};
