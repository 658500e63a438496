// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/KernelTable.h"
#include "core/task/Card.h"

#include <QString>
#include <QStringList>
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

    /// Stable across starts: "archive:L1/T1/name@1a2b3c4d", "file:/home/…/a.cu", "lesson:coalescing/2", "new:3".
    QString key;
    QString title;
    Origin origin = Origin::none;
    QString original; ///< the text as archived, on disk or in the lesson: what an edit is compared with
    QString path;     ///< of a file
    std::optional<archive::KernelSummary> row;
    RowTexts texts;

    std::optional<task::TaskKey> task;
    bool taskIsChosen = false; ///< by the user, and not the archive's
    QString referenceText; ///< another kernel as the reference; empty: the task's card
    QString referenceName;
    QStringList arguments; ///< of forward, where there is no task (see core/verify/ArgumentText.h)

    [[nodiscard]] bool isEmpty() const { return origin == Origin::none; }
};

/// How a kernel is compiled and run.
struct Target {
    QString arch = QStringLiteral("sm_90");
    QString device = QStringLiteral("h200"); ///< id of a device specification: the roofs and the modelled time
    bool fastMath = false;
    quint64 seed = 1;
    bool operator==(const Target&) const = default;
};

} // namespace kernelarium::ui
