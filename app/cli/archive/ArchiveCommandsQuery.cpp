// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/ArchiveFilters.h"
#include "app/cli/archive/StoredVerdicts.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

void printKernels(const std::vector<archive::KernelSummary>& kernels, std::int64_t total, StoredVerdicts& verdicts) {
    using Align = TextTable::Align;
    TextTable table({{"ID", Align::right},
                     {"KERNEL"},
                     {"OPERATOR"},
                     {"ARCHIVED AS"},
                     {"VERIFIED"},
                     {"MS", Align::right},
                     {"x NATIVE", Align::right},
                     {"x COMPILE", Align::right},
                     {"BYTES", Align::right}});
    for (const auto& kernel : kernels)
        table.add({std::to_string(kernel.id), kernel.label(), kernel.opName, claimWord(kernel), verdicts.wordOf(kernel),
                   cell(kernel.runtime, 3), cell(kernel.speedupNative, 2), cell(kernel.speedupCompile, 2),
                   std::to_string(kernel.codeBytes)});
    fmt::print("{}{} of {} kernels\n", table.text(), kernels.size(), total);
}

int runList(Context& context, const QueryOptions& options, const std::filesystem::path& named) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    auto query = completed(options);
    if (!query) return report(context, query.error());
    if (auto given = giveVerdicts(*query, options.path, named); !given) return report(context, given.error());
    auto listed = listKernels(*opened, *query);
    if (!listed) return report(context, listed.error());
    StoredVerdicts verdicts(options.path, named);
    if (!context.json) {
        printKernels(listed->kernels, listed->total, verdicts);
        return exitSuccess;
    }
    auto rows = nlohmann::json::array();
    for (const auto& kernel : listed->kernels)
        rows.push_back(withVerdict(kernel, verdicts));
    printJson({{"total", listed->total}, {"kernels", rows}});
    return exitSuccess;
}

} // namespace

void addArchiveList(CLI::App& archive, Context& context) {
    struct Options {
        QueryOptions query;
        std::filesystem::path verdicts;
    };
    auto options = std::make_shared<Options>();
    options->query.query.limit = 50;
    auto* command = archive.add_subcommand("list", "List kernels, filtered and sorted");
    addArchiveOption(*command, options->query.path);
    addVerdictsOption(*command, options->verdicts);
    addFilterOptions(*command, options->query);
    command->callback([options, &context] { context.exitCode = runList(context, options->query, options->verdicts); });
}

} // namespace kernelarium::cli
