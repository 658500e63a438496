// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The GPU for kernels of our own: its memory, and what graphs give on it.
class TestCudaMachine : public QObject {
    Q_OBJECT

private slots:
    void arenaFillsGapsAndGivesSlabsBack();
    void arenaSaysWhatTheSourceSays();
    void memoryIsWhatWasWritten();
    void refusesWhatDoesNotFit();
    void drawsWhatTheCpuDraws();
    void graphsGiveWhatTheCpuGives_data();
    void graphsGiveWhatTheCpuGives();
    void aSecondReferenceCompilesNothing();
    void comparesWhatTheCpuCompares();
    void memoryGoesBackToThePool();
};
