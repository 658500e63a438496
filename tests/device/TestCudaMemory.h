// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Memory of a run on the GPU: poison, guard bands, bounds, the pool's limit.
class TestCudaMemory : public QObject {
    Q_OBJECT

private slots:
    void init();
    void freshMemoryHoldsThePoison();
    void bytesComeBack();
    void patternsRepeat();
    void overlappingCopiesMove();
    void leavingAnAllocationIsRefused();
    void damagedGuardsAreNamed();
    void freedMemoryIsPoisonedAndGone();
    void saltMovesAddresses();
    void tooMuchIsRefusedWithNumbers();
    void slabsAreUsedAgain();
};
