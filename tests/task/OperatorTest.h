// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium {

/// Operators against values computed by hand or by plain loops here.
class OperatorTest : public QObject {
    Q_OBJECT
private slots:
    void promotesAsPyTorch();
    void broadcastsBinaryOperators();
    void refusesWhatDoesNotBroadcast();
    void refusesViewsInItsWords_data();
    void refusesViewsInItsWords();
    void unfoldsWindows();
    void namesUnknownOperators();
    void evaluatesInPlaceForms();
    void roundsHalfOnce();
    void evaluatesActivations();
    void reducesOverAnyDimensions();
    void findsExtremaWithNaNAndTies();
    void scansAlongADimension();
    void softmaxSurvivesLargeNumbers();
    void movesElements();
    void indexesLikePyTorch();
    void multipliesMatrices();
    void productsDoNotDependOnThreads();
    void contractsByEinsum();
    void stopsAndBoundsMemory();
    void infersShapesWithoutElements();
};

} // namespace kernelarium
