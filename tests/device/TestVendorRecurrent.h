// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Recurrent layers by cuDNN, and those of host code, on the GPU.
class TestVendorRecurrent : public QObject {
    Q_OBJECT

private slots:
    void layersAreThoseOfOurKernels_data();
    void layersAreThoseOfOurKernels();
    void sizesThatItDoesNotTakeAreLeftToOurKernels();
    void hostCodeRuns_data();
    void hostCodeRuns();
};
