// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/DeviceWords.h"
#include "app/cli/superopt/EmitCommand.h"
#include "app/cli/superopt/ExplainReport.h"
#include "app/cli/superopt/ProveCommand.h"
#include "core/audit/RowCard.h"
#include "core/perf/DeviceSpec.h"
#include "core/task/Card.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

struct ExplainOptions {
    std::string task, card;
    std::string size = "full";
    std::string device = "h200";
    bool anyInputs = false;
};

Result<task::Card> chosenCard(const ExplainOptions& options) {
    if (!options.card.empty()) return audit::readCardFile(options.card);
    const Result<task::TaskKey> key = task::parseTaskKey(options.task);
    if (!key) return key.error();
    return task::loadCard(key->level, key->task);
}

int explainTask(Context& context, const ExplainOptions& options) {
    if (options.task.empty() == options.card.empty())
        return report(context, Error{"bad_usage", "One of --task and --card says what to explain."});
    const Result<task::Card> card = chosenCard(options);
    if (!card) return report(context, card.error());
    const perf::DeviceSpec* device = perf::findDeviceSpec(options.device);
    if (!device)
        return report(context, Error{"bad_input", fmt::format("No device is called {}.", options.device),
                                     "`kernelarium-cli device list` shows those that the program knows."});
    algebra::SearchLimits limits;
    limits.useStatedStructure = !options.anyInputs;
    const Result<algebra::Explanation> explanation = algebra::explain(*card, options.size, *device, limits);
    if (!explanation) return report(context, explanation.error());
    fmt::print("{}", context.json ? explanationJson(*explanation) : explanationText(*explanation));
    return exitSuccess;
}

} // namespace

void addSuperoptCommands(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand("superopt", "What algebra knows of a task: rewrites, FLOPs, bytes, bounds");
    group->require_subcommand(1);
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* explain = group->add_subcommand(
        "explain", "Explain a task: its formulas, the rewrites that they allow, what it needs before and after");
    explain->add_option("--task", options->task, "Task as LEVEL/TASK, for example 1/12");
    explain->add_option("--card", options->card, "A task card of your own, as `task export` writes them")
        ->option_text("CARD.json");
    explain->add_option("--size", options->size, "Size of the card: full, small, ...")->capture_default_str();
    explain->add_option("--device", options->device, "The device of the bound")
        ->option_text(deviceWords())
        ->capture_default_str();
    explain->add_flag("--any-inputs", options->anyInputs,
                      "Use no structure that the task states of its inputs, such as a triangle of zeros");
    explain->callback([&context, options] { context.exitCode = explainTask(context, *options); });
    addEmitCommand(*group, context);
    addProveCommand(*group, context);
}

} // namespace kernelarium::cli
