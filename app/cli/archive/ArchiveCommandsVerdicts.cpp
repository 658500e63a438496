// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "core/audit/Merge.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

struct MergeOptions {
    std::filesystem::path archive;
    std::filesystem::path verdicts;
    std::vector<std::filesystem::path> inputs;
};

int runMerge(Context& context, const MergeOptions& options) {
    // A typing error in --db must not make a file of verdicts beside nothing.
    if (options.verdicts.empty()) {
        if (auto opened = archive::Archive::open(options.archive); !opened) return report(context, opened.error());
    }
    const std::filesystem::path target = verdictsOf(options.archive, options.verdicts);
    const StopOnSignal signals;
    const auto merged = audit::mergeVerdicts(target, options.inputs, signals.token());
    if (!merged) {
        report(context, merged.error());
        return context.exitCode = merged.error().code == "cancelled" ? exitInterrupted : context.exitCode;
    }
    if (context.json)
        printJson({{"verdicts", target.string()},
                   {"added", merged->added},
                   {"replaced", merged->replaced},
                   {"unchanged", merged->kept}});
    else
        fmt::print("{} verdicts added, {} replaced by newer ones, {} unchanged; {}\n", merged->added, merged->replaced,
                   merged->kept, target.string());
    return exitSuccess;
}

} // namespace

void addArchiveMergeVerdicts(CLI::App& archive, Context& context) {
    auto options = std::make_shared<MergeOptions>();
    auto* command = archive.add_subcommand(
        "merge-verdicts", "Merge the verdicts of an audit's shards; newer ones win. A damaged input changes nothing");
    addArchiveOption(*command, options->archive);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("INPUT", options->inputs, "Files of verdicts, or what `audit --out` wrote")->required();
    command->callback([options, &context] { context.exitCode = runMerge(context, *options); });
}

} // namespace kernelarium::cli
