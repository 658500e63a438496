// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Races of native code on a GPU, and in the emulator what stands around them.
class TestRaces : public QObject {
    Q_OBJECT

private slots:
    void kernelsAssemble();
    void differencesAreCounted_data();
    void differencesAreCounted();
    void scrubbingEnds();
    void anOriginalIsItsOwnEqual();
    void otherResultsAreNoticed_data();
    void otherResultsAreNoticed();
    void whatLiesBetweenKernelsIsPoisoned();
    void anEndlessCandidateCostsItsChildOnly();
    void someForwardsAreRunApart_data();
    void someForwardsAreRunApart();
};
