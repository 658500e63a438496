// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Timing on a GPU: what is sampled, what is refused and what is said; never how long anything takes.
class TestTiming : public QObject {
    Q_OBJECT

private slots:
    void samplesOfDeviceWork_data();
    void samplesOfDeviceWork();
    void everyStepIsReplayed();
    void streamsOverlapAsAsked_data();
    void streamsOverlapAsAsked();
    void aValueReadBackIsWaitedFor();
    void muchReadBackIsTimedWithHostCode();
    void libraryOperatorsAreTimed();
    void operatorsOnTheProcessorAreRefused();
    void rememberedResultsShow();
    void whatWasDrawnStaysAsItWas();
    void failedForwardHasNoSamples();
    void pairsAlternate();
    void ceilingsAreMeasured();
};
