// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Verifications whose tensors stay on the GPU.
class TestCudaWorkplace : public QObject {
    Q_OBJECT

private slots:
    void everyDistributionIsDrawnAsHere_data();
    void everyDistributionIsDrawnAsHere();
    void theSameVerdict_data();
    void theSameVerdict();
    void aSmallCardSuffices();
    void tooSmallACardIsSaid();
    void hostMemoryStaysSmall();
    void memoryGoesBack();
};
