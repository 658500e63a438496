// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

namespace kernelarium::ui {

/// A GPU as the target of the workspace, with a run child that answers as if it had one.
class TestGpuTarget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void withoutAGpuTheReasonIsKnown();
    void aGpuIsFoundChosenAndRemembered();
    void timingVerifiesFirstAndKeepsSamples();
    void theFirstSamplesAreSaidBeforeTheEnd();
    void baselinesAreAskedForInTheChosenPython();
    void somethingThatCannotRunIsNotTimed();
    void cancelEndsATiming();
    void aChildThatDiesEndsTheTiming();
    void aGpuThatVanishesIsSaid();
    void aRaceSaysWhoIsFaster();
    void aRaceNeedsAGpuAndAnotherText();
    void modellingStaysWithTheEmulator();
    void measuredRoofsAreKept();
    void machinesAreRememberedAndChecked();
    void kernelsRunOnAnotherMachine();
    void aTextThatChangesIsNotTimed();

private:
    QTemporaryDir m_data;
};

} // namespace kernelarium::ui
