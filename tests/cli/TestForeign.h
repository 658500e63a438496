// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Files of public collections, which lie beside the repository where they are there at all: compiled as they are,
/// each function held against PyTorch's operators or a second kernel.
class TestForeign : public QObject {
    Q_OBJECT
private slots:
    void leetcuda_data();
    void leetcuda();
    void cudaL2_data();
    void cudaL2();
    void theRaceOfCudaL2_data();
    void theRaceOfCudaL2();
};
