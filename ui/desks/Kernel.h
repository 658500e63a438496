// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/task/Card.h"

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

namespace kernelarium::ui {

/// The texts that the archive keeps beside a kernel's code. Empty where there is none.
struct RowTexts {
    QString module;
    QString functional;
    QString error;
    QString ncu;
    QString torch;
    QString tidy;
};

/// A kernel on the bench: where it comes from and what it is held against.
struct Kernel {
    enum class Origin { none, archived, file, lesson, fresh };

    /// Stable across starts: "archive:L1/T1/name@1a2b3c4d", "file:/home/…/a.cu", "lesson:coalescing/2", "new:3",
    /// "generated:2/50/columns/1".
    QString key;
    QString title;
    Origin origin = Origin::none;
    QString original; ///< the text as archived, on disk or in the lesson: what an edit is compared with
    QString path;     ///< of a file
    std::optional<archive::KernelSummary> row;
    RowTexts texts;

    std::optional<task::TaskKey> task;
    bool taskIsChosen = false; ///< by the user, and not the archive's
    QString cardPath; ///< of a card of the user's own, whose task `task` is; empty: built in, or exported for the row
    std::shared_ptr<const task::Card> card; ///< as read from there; null: not yet
    QString referenceText;                  ///< another kernel as the reference; empty: the task's card
    QString referenceName;
    QStringList arguments;   ///< of forward, where there is no task (see core/verify/inputs/ArgumentText.h)
    QString compilerOptions; ///< -I, -D, -U and the like that it wants, one line (core/text/CompilerSettings.h)
    QString function;        ///< of its module, called in forward's stead; empty: forward, or the only one
    QString device;          ///< that its time is modelled for and that it is compiled for; empty: the target's
    QString modelledSize = QStringLiteral("full"); ///< of a card's
    bool isKept = false; ///< of a fresh one: its text comes back after a restart though nobody edited it

    [[nodiscard]] bool isEmpty() const { return origin == Origin::none; }
};

/// How a kernel is compiled, run and timed, and where.
struct Target {
    QString arch = QStringLiteral("sm_90");
    QString device = QStringLiteral("h200"); ///< id of a device specification: the roofs and the modelled time
    bool fastMath = false;
    quint64 seed = 1;
    QString host;                              ///< another machine, "user@host:port"; empty: this one
    QString gpu;                               ///< name of the GPU that kernels run on; empty: the emulator
    int ordinal = 0;                           ///< of that GPU among those of its machine
    QString size = QStringLiteral("small");    ///< that a GPU verifies at: "small", "full", "both"
    QString timeMode = QStringLiteral("cold"); ///< "cold", "hot", "server"
    double rate = 100;                         ///< of "server": requests in a second
    QString compilerOptions;                   ///< of the kernel that is compiled; no part of what is remembered
    bool baselines = false;                    ///< whether other implementations of the task are timed beside it

    [[nodiscard]] bool onGpu() const { return !gpu.isEmpty(); }
    /// Whether kernels run in the same place.
    [[nodiscard]] bool isSamePlace(const Target& other) const {
        return host == other.host && gpu == other.gpu && ordinal == other.ordinal;
    }
    /// Whether a unit that was compiled for one will do for the other.
    [[nodiscard]] bool compilesAs(const Target& other) const {
        return arch == other.arch && fastMath == other.fastMath && onGpu() == other.onGpu() &&
               compilerOptions == other.compilerOptions;
    }
    bool operator==(const Target&) const = default;
};

/// "emulator", "NVIDIA H200", "NVIDIA H200 on ada@gpu1".
[[nodiscard]] QString placeText(const Target& target);

} // namespace kernelarium::ui
