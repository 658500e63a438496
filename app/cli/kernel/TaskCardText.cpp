// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TaskCardText.h"

#include "app/cli/StopOnSignal.h"
#include "core/task/Card.h"
#include "gpu/worker/PythonExport.h"

#include <fmt/format.h>

namespace kernelarium::cli {

Result<nlohmann::json> taskCard(const TaskName& name) {
    Result<task::Card> card = task::loadCard(name.level, name.task);
    if (!card) return card.error();
    return nlohmann::json::parse(task::writeCard(*card));
}

Result<nlohmann::json> rowCard(const worker::RowTask& row, const std::string& python) {
    worker::ExportOptions options;
    options.python = python;
    options.progress = [&row](const std::string& what) {
        fmt::print(stderr, "Task {} ({}) has no card here: {} ...\n", row.key(), row.opName, what);
    };
    const StopOnSignal stop;
    const Result<task::Card> card = worker::cardForRowOrExport(row, worker::userCardFolder(), options, stop.token());
    if (card) return nlohmann::json::parse(task::writeCard(*card));
    Error error = card.error();
    if (error.code != "cancelled")
        error.action += " Without a card, `--reference OTHER.cu` with the arguments of forward (`--arg`) serves, and "
                        "needs no Python.";
    return error;
}

} // namespace kernelarium::cli
