// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "core/session/Session.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/TimeMessages.h"
#include "ui/compare/CounterPairs.h"
#include "ui/desks/Kernel.h"

#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// One of two kernels that are to be compared.
struct ComparedKernel {
    QString key; ///< Kernel::key
    QString title;
    qint64 row = 0; ///< its number in the archive, where its text is read; 0: `source` is it
    QString source;
    std::shared_ptr<const task::Card> card; ///< what it is run with; null: that of its row or task
    std::optional<task::TaskKey> task;      ///< a built-in one
    std::optional<double> archivedMs;       ///< the time that was published with it
    QString compilerOptions;
    bool isOnBench = false; ///< the text that is being edited

    bool operator==(const ComparedKernel&) const = default;
};

/// What has been found out about one of them. Parts that failed say why.
struct ComparedSide {
    QString title;
    QString source;
    QString ptx;
    QString sass;
    std::optional<double> archivedMs;
    std::shared_ptr<const protocol::ProfileSummary> profile; ///< of the emulator, at the published size
    QString problem;                                         ///< it does not compile, cannot be run, ...; or empty
    QString sassProblem;
};

/// Two kernels side by side. It fills up as its parts are found: texts, compiled texts, counters, times.
struct Comparison {
    ComparedSide a, b;
    QString device; ///< whose time is modelled, as a person calls it
    std::vector<CounterPair> counters;
    std::optional<protocol::PairedSummary> pairs; ///< of a GPU; the first is a
    QString pairsProblem;                         ///< why there are none, of a GPU
    bool complete = false;
};

/// What the times of two kernels say, sentence by sentence: archived, modelled and measured ones never in one. A
/// measured difference comes with how sure it is.
[[nodiscard]] QStringList timeSentences(const Comparison& comparison);

} // namespace kernelarium::ui
