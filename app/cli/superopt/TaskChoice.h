// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/perf/DeviceSpec.h"
#include "core/task/Card.h"

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace kernelarium::cli {

/// What the commands of `superopt` are about: a task or a card, at a size, on a device.
struct TaskChoice {
    std::string task, card;
    std::string size = "full";
    std::string device = "h200";
};

/// --task, --card, --size and --device; `example` is a task that shows well what the command does.
void addTaskChoice(CLI::App& command, TaskChoice& choice, const std::string& example, const std::string& deviceHelp);

/// Error "bad_usage" unless one of task and card is given.
[[nodiscard]] Result<task::Card> chosenCard(const TaskChoice& choice);
/// Error "bad_input".
[[nodiscard]] Result<const perf::DeviceSpec*> chosenDevice(const TaskChoice& choice);

} // namespace kernelarium::cli
