// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/task/Card.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kernelarium::audit {

/// What an archive's row says of the task that its kernel solves.
struct RowTask {
    int level = 0;
    int task = 0;
    std::string opName;     ///< Op_Name; empty where nobody said: then level and task decide
    std::string functional; ///< PyTorch_Code_Functional
    std::string module;     ///< PyTorch_Code_Module

    [[nodiscard]] std::string key() const { return std::to_string(level) + "/" + std::to_string(task); }
    [[nodiscard]] bool hasCode() const { return !functional.empty() || !module.empty(); }
};

/// What an archive says of a kernel's task; its PyTorch code only where the task is no built-in one. Errors: the
/// archive's.
Result<RowTask> readRowTask(archive::Archive& archive, std::int64_t kernel);

/// Whether the row's task is one of the built-in cards': level, task and name agree.
[[nodiscard]] bool isBuiltInTask(int level, int task, const std::string& opName);

/// Where cards exported for this user are kept: $XDG_DATA_HOME/kernelarium/tasks, else
/// ~/.local/share/kernelarium/tasks.
[[nodiscard]] std::filesystem::path userCardFolder();

/// The file of a row's exported card below `folder`: named by level, task, and the hash of name and PyTorch code.
[[nodiscard]] std::filesystem::path cardFile(const RowTask& row, const std::filesystem::path& folder);

/// The card for a row: the built-in one of its task, else the one that was exported for it and kept in `folder`.
/// Errors: "unknown_task" where there is none, "bad_card".
Result<task::Card> cardForRow(const RowTask& row, const std::filesystem::path& folder);

/// Keeps an exported card, whole or not at all. Errors: "unwritable_file".
Result<void> keepCard(const task::Card& card, const RowTask& row, const std::filesystem::path& folder);

/// Whether a card that comes from elsewhere (an export, a file) holds together: at each of its sizes its graph's
/// operators fit what they are given, its call can be made, and there is a full and a small size. Error "bad_card" or
/// "unsupported".
Result<void> checkCard(const task::Card& card);
/// Whether a text has more brackets or signs inside each other than any card has: what reads or writes such a thing
/// calls itself for each.
[[nodiscard]] bool isNestedTooDeeply(std::string_view text);
/// Reads a card that nobody has looked at and checks it. Errors: "bad_card", "unsupported".
Result<task::Card> readCard(std::string_view json);
/// The same of a file. Errors also: "bad_input".
Result<task::Card> readCardFile(const std::filesystem::path& path);

} // namespace kernelarium::audit
