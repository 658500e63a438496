// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelSource.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

/// The card of a task as it travels to the run child. Errors: "bad_input" (no card for this task).
Result<nlohmann::json> taskCard(const TaskName& task);

/// The card for an archive's row: the built-in one, or one exported from its PyTorch code, now if need be (said on
/// standard error). `python`: see worker::findPython(). Errors: those of worker::exportCard().
Result<nlohmann::json> rowCard(const worker::RowTask& row, const std::string& python);

} // namespace kernelarium::cli
