// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/TaskChoice.h"

#include "app/cli/Context.h"
#include "app/cli/DeviceWords.h"
#include "core/audit/RowCard.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

void addTaskChoice(CLI::App& command, TaskChoice& choice, const std::string& example, const std::string& deviceHelp) {
    command.add_option("--task", choice.task, "Task as LEVEL/TASK, for example " + example);
    command.add_option("--card", choice.card, "A task card of your own, as `task export` writes them")
        ->option_text("CARD.json");
    command.add_option("--size", choice.size, sizesHelp)->capture_default_str();
    command.add_option("--device", choice.device, deviceHelp)->option_text(deviceWords())->capture_default_str();
}

Result<task::Card> chosenCard(const TaskChoice& choice) {
    if (choice.task.empty() == choice.card.empty())
        return Error{"bad_usage", "One of --task and --card says which task is meant."};
    if (!choice.card.empty()) return audit::readCardFile(choice.card);
    const Result<task::TaskKey> key = task::parseTaskKey(choice.task);
    if (!key) return key.error();
    return task::loadCard(key->level, key->task);
}

Result<const perf::DeviceSpec*> chosenDevice(const TaskChoice& choice) {
    const perf::DeviceSpec* device = perf::findDeviceSpec(choice.device);
    if (device) return device;
    return Error{"bad_input", fmt::format("No device is called {}.", choice.device),
                 "`kernelarium-cli device list` shows those that the program knows."};
}

} // namespace kernelarium::cli
