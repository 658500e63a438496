// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium {

/// Convolutions, pooling, normalisation, recurrent layers and losses against plain loops written here.
class LayerTest : public QObject {
    Q_OBJECT
private slots:
    void convolvesLikeTheDefinition_data();
    void convolvesLikeTheDefinition();
    void transposedConvolutionIsTheAdjoint_data();
    void transposedConvolutionIsTheAdjoint();
    void poolsWithPaddingAndCeil();
    void poolsAdaptively();
    void normalisesBatchesAndGroups();
    void stepsLstmAndGru();
    void computesLosses();
    void attends();
};

} // namespace kernelarium
