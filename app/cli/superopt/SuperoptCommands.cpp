// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/superopt/EmitCommand.h"
#include "app/cli/superopt/ExplainReport.h"
#include "app/cli/superopt/ProveCommand.h"
#include "app/cli/superopt/SearchCommand.h"
#include "app/cli/superopt/ShowCommand.h"
#include "app/cli/superopt/TaskChoice.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

struct ExplainOptions {
    TaskChoice choice;
    bool anyInputs = false;
};

int explainTask(Context& context, const ExplainOptions& options) {
    const Result<task::Card> card = chosenCard(options.choice);
    if (!card) return report(context, card.error());
    const auto device = chosenDevice(options.choice);
    if (!device) return report(context, device.error());
    algebra::SearchLimits limits;
    limits.useStatedStructure = !options.anyInputs;
    const Result<algebra::Explanation> explanation = algebra::explain(*card, options.choice.size, **device, limits);
    if (!explanation) return report(context, explanation.error());
    fmt::print("{}", context.json ? explanationJson(*explanation) : explanationText(*explanation));
    return exitSuccess;
}

} // namespace

void addSuperoptCommands(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand(
        "superopt",
        "What algebra knows of a task: rewrites, FLOPs, bytes, bounds, and the kernel files that it leads to");
    group->require_subcommand(1);
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* explain = group->add_subcommand(
        "explain", "Explain a task: its formulas, the rewrites that they allow, what it needs before and after");
    addTaskChoice(*explain, options->choice, "1/12", "The device of the bound");
    explain->add_flag("--any-inputs", options->anyInputs,
                      "Use no structure that the task states of its inputs, such as a triangle of zeros");
    explain->callback([&context, options] { context.exitCode = explainTask(context, *options); });
    addShowCommand(*group, context);
    addEmitCommand(*group, context);
    addProveCommand(*group, context);
    addSearchCommands(*group, context);
}

} // namespace kernelarium::cli
