// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/NumberChecks.h"
#include "app/cli/Output.h"
#include "app/cli/schedule/CubinChoice.h"
#include "app/cli/schedule/MineCommand.h"
#include "app/cli/schedule/ProveScheduleCommand.h"
#include "app/cli/schedule/ScheduleReport.h"
#include "app/cli/schedule/SearchScheduleCommand.h"
#include "app/cli/schedule/VaryCommand.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

struct ScheduleOptions {
    CubinChoice choice;
    ReportedPart part;
    bool steps = false; ///< of a search's store, as is:
    std::string output;
};

int reportSchedule(Context& context, const ScheduleOptions& options) {
    const Result<sass::Cubin> cubin = chosenCubin(options.choice);
    if (!cubin) return report(context, cubin.error());
    const auto kernels = chosenKernels(*cubin, options.choice);
    if (!kernels) return report(context, kernels.error());
    const sass::LineTable lines = sass::LineTable::read(cubin->bytes());
    nlohmann::json all = nlohmann::json::array();
    bool anyOfLine = options.part.line == 0;
    for (const sass::KernelCode* kernel : *kernels) {
        const sass::Explanation e = sass::explain(*cubin, *kernel, lines, sass::minedDistances());
        bool any = options.part.line == 0;
        for (int i = 0; i < int(e.code.size()) && !any; ++i)
            any = isReported(e, options.part, i);
        anyOfLine |= any;
        if (!any) continue;
        if (context.json)
            all.push_back(scheduleJson(e, options.part));
        else
            fmt::print("{}{}", kernel == kernels->front() ? "" : "\n", printable(scheduleText(e, options.part)));
    }
    if (!anyOfLine)
        return report(context, {"bad_input", fmt::format("No instruction comes from line {}.", options.part.line),
                                lines.isEmpty() ? "The cubin has no source lines: compile it with -lineinfo."
                                                : "Ask for a line that computes something."});
    if (context.json) printJson({{"kernels", all}});
    return exitSuccess;
}

} // namespace

void addScheduleCommands(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand(
        "schedule", "A kernel's native code: what each instruction waits for, whether a variant of it is right, and "
                    "whether another order is faster");
    group->require_subcommand(1);
    group->fallthrough();
    const auto explained = std::make_shared<ScheduleOptions>();
    CLI::App* explain = group->add_subcommand(
        "explain", "Say of the hot loop's instructions what each waits for, how long, and how much slack there is; and "
                   "what limits the loop. Needs no GPU and no disassembler");
    addCubinChoice(*explain, explained->choice);
    explain->add_option("--line", explained->part.line, "Only instructions of this line of the source")
        ->check(positiveNumber())
        ->option_text("N");
    explain->add_flag("--whole", explained->part.whole, "The whole kernel in place of its hot loop");
    explain
        ->add_option("--warps", explained->part.warps,
                     "Warps that are resident on a scheduler, as many as the registers leave room for by default")
        ->check(CLI::Range(1, 16))
        ->option_text("N");
    explain->callback([explained, &context] { context.exitCode = reportSchedule(context, *explained); });
    const auto shownOnes = std::make_shared<ScheduleOptions>();
    shownOnes->part.whole = true;
    shownOnes->part.waits = false;
    CLI::App* show = group->add_subcommand(
        "show", "Show the instructions with their scheduling and source lines; of a search's store, what it found");
    addCubinChoice(*show, shownOnes->choice);
    show->add_option("--output", shownOnes->output, "Of a store: folder for the best schedule's cubin and patches")
        ->option_text("FOLDER");
    show->add_flag("--steps-too", shownOnes->steps, "Of a store, with --json: every step, and the best one's patches");
    show->callback([shownOnes, &context] {
        const std::string& file = shownOnes->choice.file;
        context.exitCode = isSearchStore(file) ? showSchedules(context, file, shownOnes->steps, shownOnes->output)
                                               : reportSchedule(context, *shownOnes);
    });
    addSearchScheduleCommands(*group, context);
    addProveScheduleCommand(*group, context);
    addVaryCommand(*group, context);
    addMineCommand(*group, context);
}

} // namespace kernelarium::cli
