// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/RowCardExport.h"

#include "app/cli/StopOnSignal.h"
#include "gpu/tools/PythonExport.h"

#include <fmt/format.h>

namespace kernelarium::cli {

Result<std::shared_ptr<const task::Card>> rowCard(const audit::RowTask& row, const std::string& python) {
    tools::ExportOptions options;
    options.python = python;
    options.progress = [&row](const std::string& what) {
        fmt::print(stderr, "Task {} ({}) has no card here: {} ...\n", row.key(), row.opName, what);
    };
    const StopOnSignal stop;
    Result<task::Card> card = tools::cardForRowOrExport(row, audit::userCardFolder(), options, stop.token());
    if (card) return std::make_shared<const task::Card>(std::move(*card));
    Error error = card.error();
    if (error.code != "cancelled")
        error.action += " Without a card, `--reference OTHER.cu` with the arguments of forward (`--arg`) serves, and "
                        "needs no Python.";
    return error;
}

} // namespace kernelarium::cli
