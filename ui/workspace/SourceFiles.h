// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

namespace kernelarium::ui {

/// Largest source that is read.
inline constexpr qint64 largestSource = 60'000'000;

/// Reads a .cu file on another thread. Errors: "bad_input" (missing, a folder, too large, not text).
void readSource(const QString& path, QObject* receiver, std::function<void(Result<QString>)> done);
/// Writes through a temporary file: what was there stays until the new text is whole. Error "unwritable_file".
void writeSource(const QString& path, const QString& text, QObject* receiver, std::function<void(Result<void>)> done);

/// The task that a first comment "// kernelarium: task 1/23" names, or a header in the starter archive's form,
/// "// Task:    1/23 23_Softmax".
[[nodiscard]] std::optional<task::TaskKey> taskNamedIn(const QString& text);

} // namespace kernelarium::ui
