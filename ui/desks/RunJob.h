// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/protocol/CompileMessages.h"
#include "ui/desks/Kernel.h"

#include <memory>
#include <optional>

namespace kernelarium::ui {

/// What is to be run, and against what.
struct RunJob {
    quint64 generation = 0;                            ///< of the text
    std::shared_ptr<const compile::CompiledUnit> unit; ///< not ok: only to have it refused
    std::shared_ptr<const task::Card> card;            ///< of its task; null: arguments say what to call it with
    QStringList arguments;                             ///< of the function; of a program, what its main is called with
    QString title;                                     ///< of the kernel
    QString function;                                  ///< of the module; empty: forward, or the only one
    std::shared_ptr<const compile::CompiledUnit> reference;
    QString referenceName;
    QString size = QStringLiteral("small");
    Target target;
    std::optional<double> claimedMilliseconds; ///< by the archive, for the text as it was archived
};

/// What is to be stepped through, and where to begin.
struct StepTarget {
    recording::Request request;
    int lane = 0; ///< whose values are shown first
};

/// Another kernel that is timed in pairs with the one on the bench.
struct Rival {
    std::shared_ptr<const compile::CompiledUnit> unit; ///< null: there is none
    QString name;
};

} // namespace kernelarium::ui
