// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/KernelSource.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

/// The card of a task as it travels to the run child. Errors: "bad_input" (no card for this task).
Result<nlohmann::json> taskCard(const TaskName& task);

} // namespace kernelarium::cli
