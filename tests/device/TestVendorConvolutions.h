// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Convolutions by cuDNN, and those of host code, on the GPU.
class TestVendorConvolutions : public QObject {
    Q_OBJECT

private slots:
    void aLibraryThatIsNotThereIsNamed();
    void convolutionsAreThoseOfOurKernels_data();
    void convolutionsAreThoseOfOurKernels();
    void everyAlgorithmGivesTheSame();
    void hostCodeConvolves_data();
    void hostCodeConvolves();
};
