// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Verdict.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/protocol/TimeMessages.h"

#include <QString>
#include <memory>
#include <optional>

namespace kernelarium::ui {

/// Where a piece of work stands. Exactly one of the last three ends it.
enum class Stage { idle, waiting, running, finished, failed, cancelled };

[[nodiscard]] constexpr bool isBusy(Stage stage) {
    return stage == Stage::waiting || stage == Stage::running;
}

/// The compilation of the text as it stands.
struct CompileState {
    Stage stage = Stage::idle;
    quint64 generation = 0; ///< of the text
    bool diagnosed = false; ///< the front end has spoken; ptxas may still be at work
    std::vector<compile::Diagnostic> diagnostics;
    std::shared_ptr<const compile::CompiledUnit> unit; ///< of the last compilation that finished
    Error error;                                       ///< of failed
    double seconds = 0;                                ///< from the last key to the end
    double toDiagnostics = 0;                          ///< from the request to the first diagnostics
};

/// A verification, and the text that it was about.
struct VerifyState {
    Stage stage = Stage::idle;
    quint64 generation = 0; ///< of the text that was verified
    QString step;           ///< "reference", "run", ...
    std::shared_ptr<const verify::Verdict> verdict;
    Error error;
};

/// A plain run with stated arguments.
struct RunState {
    Stage stage = Stage::idle;
    quint64 generation = 0;
    QString step;
    std::shared_ptr<const protocol::RunSummary> summary;
    Error error;
};

/// A time modelled from what the emulator counted.
struct ProfileState {
    Stage stage = Stage::idle;
    quint64 generation = 0;
    QString step;
    std::shared_ptr<const protocol::ProfileSummary> summary;
    Error error;
};

/// A time taken on a GPU.
struct TimeState {
    Stage stage = Stage::idle;
    quint64 generation = 0;
    QString step;
    std::shared_ptr<const protocol::TimeSummary> summary;
    Error error;
};

} // namespace kernelarium::ui
