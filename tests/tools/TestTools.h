// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The tools that others wrote: nvdisasm, clang-tidy, ncu. Where one is not installed, programs of the test's stand in.
class TestTools : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nvdisasmIsAskedForItsNotes();
    void nvdisasmMayNotTellLifeRanges();
    void liveRegistersComeToTheirInstruction();
    void nvdisasmIsKeptInBounds();
    void nvdisasmMayBeAbsent();
    void tidyReadsTheStarterKernels_data();
    void tidyReadsTheStarterKernels();
    void tidyFindsWhatItShould();
    void tidyNamesWhatItCannotRead();
    void tidyMayBeAbsent();
    void ncuIsFoundNewestFirst();
    void ncuRunsTheKernelAndIsRead();
    void ncuMayNotKnowAMetric();
    void ncuRefusesByName_data();
    void ncuRefusesByName();
    void ncuIsEndedWhenCancelled();
};
