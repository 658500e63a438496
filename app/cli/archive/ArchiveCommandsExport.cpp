// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/SearchOptions.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "core/archive/export/Export.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

using archive::ExportFormat;

const std::map<std::string, ExportFormat> exportFormats = {
    {"csv", ExportFormat::csv}, {"jsonl", ExportFormat::jsonLines}, {"cu", ExportFormat::cudaFiles}};

struct ExportCommand {
    SearchOptions search;
    std::filesystem::path verdicts;
    std::string format;
    std::filesystem::path out;
};

/// The kernels that were asked for; all of them when nothing narrows the choice.
Result<std::vector<std::int64_t>> chosen(archive::Archive& opened, const archive::SearchQuery& query,
                                         const std::stop_token& stop) {
    std::vector<std::int64_t> ids;
    if (!query.looksIntoTexts() && !query.foldDuplicates) {
        auto listed = listKernels(opened, query);
        if (!listed) return listed.error();
        for (const auto& kernel : listed->kernels)
            ids.push_back(kernel.id);
        return ids;
    }
    auto result = opened.search(query, stop);
    if (!result) return result.error();
    for (const auto& hit : result->hits)
        ids.push_back(hit.kernel.id);
    return ids;
}

int runExport(Context& context, const ExportCommand& command) {
    auto query = searchFrom(command.search);
    if (!query) return report(context, query.error());
    auto opened = archive::Archive::open(command.search.query.path);
    if (!opened) return report(context, opened.error());
    auto verdicts = ownVerdictsOf(command.search.query.path, command.verdicts);
    if (!verdicts) return report(context, verdicts.error());
    query->verdicts = *verdicts;
    const StopOnSignal signals;
    auto ids = chosen(*opened, *query, signals.token());
    if (!ids) return report(context, ids.error());
    archive::ExportOptions options;
    options.stop = signals.token();
    options.verdicts = *verdicts;
    if (isatty(STDERR_FILENO) != 0)
        options.progress = [](std::size_t done, std::size_t all) {
            fmt::print(stderr, "\r{} of {}\033[K{}", done, all, done == all ? "\r\033[K" : "");
        };
    auto exported = archive::exportKernels(*opened, *ids, exportFormats.at(command.format), command.out, options);
    if (!exported) return report(context, exported.error());
    if (context.json)
        printJson({{"out", command.out.string()},
                   {"kernels", exported->kernels},
                   {"files", exported->files},
                   {"bytes", exported->bytes}});
    else
        fmt::print(stderr, "{} in {}, {}: {}\n", quantities::counted(double(exported->kernels), "kernel"),
                   quantities::counted(double(exported->files), "file"), quantities::bytes(double(exported->bytes)),
                   command.out.string());
    return exitSuccess;
}

} // namespace

void addArchiveExport(CLI::App& archive, Context& context) {
    auto options = std::make_shared<ExportCommand>();
    options->search.query.query.limit = 0;
    auto* command = archive.add_subcommand("export", "Write a selection of kernels as CSV, JSON lines or .cu files");
    addArchiveOption(*command, options->search.query.path);
    command
        ->add_option(
            "--format", options->format,
            "csv: numbers; jsonl: every published column, can be imported again; cu: a folder of sources; each with "
            "our verdicts")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"csv", "jsonl", "cu"}));
    command->add_option("--out", options->out, "The file, or the folder for cu")->required()->option_text("PATH");
    addVerdictsOption(*command, options->verdicts);
    addSearchOptions(*command, options->search);
    command->callback([options, &context] { context.exitCode = runExport(context, *options); });
}

} // namespace kernelarium::cli
