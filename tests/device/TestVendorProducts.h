// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// NVIDIA's libraries for matrix products, and library operators of host code, on the GPU.
class TestVendorProducts : public QObject {
    Q_OBJECT

private slots:
    void aLibraryThatIsNotThereIsNamed();
    void productsAreThoseOfOurKernels_data();
    void productsAreThoseOfOurKernels();
    void everyAlgorithmGivesTheSame();
    void operatorsStayOnTheGpu_data();
    void operatorsStayOnTheGpu();
};
