// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"
#include "app/cli/ArchiveFilters.h"
#include "app/cli/StoredVerdicts.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

std::string claimWord(const archive::KernelSummary& kernel) {
    if (!kernel.correct) return "-";
    return *kernel.correct ? "correct" : std::string(archive::errorKindWord(kernel.errorKind));
}

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
        table.add({std::to_string(kernel.id), kernel.label(), kernel.opName, claimWord(kernel),
                   verdicts.wordOf(kernel), cell(kernel.runtime, 3), cell(kernel.speedupNative, 2), cell(kernel.speedupCompile, 2),
                   std::to_string(kernel.codeBytes)});
    fmt::print("{}{} of {} kernels\n", table.text(), kernels.size(), total);
}

nlohmann::json withVerdict(const archive::KernelSummary& kernel, StoredVerdicts& verdicts) {
    auto json = toJson(kernel);
    json["our_verdict"] = verdicts.jsonOf(kernel);
    return json;
}

int runList(Context& context, const QueryOptions& options, const std::filesystem::path& named) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    const auto query = completed(options);
    auto kernels = opened->list(query);
    if (!kernels) return report(context, kernels.error());
    auto total = opened->count(query.filter);
    if (!total) return report(context, total.error());
    StoredVerdicts verdicts(options.path, named);
    if (!context.json) {
        printKernels(*kernels, *total, verdicts);
        return exitSuccess;
    }
    auto rows = nlohmann::json::array();
    for (const auto& kernel : *kernels)
        rows.push_back(withVerdict(kernel, verdicts));
    printJson({{"total", *total}, {"kernels", rows}});
    return exitSuccess;
}

void printHitsJson(const archive::SearchResult& result, StoredVerdicts& verdicts) {
    auto hits = nlohmann::json::array();
    for (const auto& hit : result.hits) {
        auto json = withVerdict(hit.kernel, verdicts);
        json["match"] = {{"in_name", hit.inName}, {"in_code", hit.inCode}, {"line", hit.line},
                         {"column", hit.column},  {"text", hit.lineText},  {"count", hit.matches}};
        hits.push_back(std::move(json));
    }
    printJson({{"complete", result.complete}, {"hits", hits}});
}

void printHits(const archive::SearchResult& result, StoredVerdicts& verdicts) {
    TextTable table({{"ID", TextTable::Align::right},
                     {"KERNEL"},
                     {"ARCHIVED AS"},
                     {"VERIFIED"},
                     {"LINE", TextTable::Align::right},
                     {"MATCHES", TextTable::Align::right},
                     {"TEXT"}});
    for (const auto& hit : result.hits)
        table.add({std::to_string(hit.kernel.id), hit.kernel.label(), claimWord(hit.kernel), verdicts.wordOf(hit.kernel),
                   hit.inCode ? std::to_string(hit.line) : "name", std::to_string(hit.matches),
                   printable(hit.lineText)});
    fmt::print("{}{} kernels{}\n", table.text(), result.hits.size(),
               result.complete ? "" : " (there may be more: --limit 0 finds all)");
}

int runSearch(Context& context, const QueryOptions& options, const std::filesystem::path& named,
              archive::SearchQuery search) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    search.kernels = completed(options);
    auto result = opened->search(search);
    if (!result) return report(context, result.error());
    StoredVerdicts verdicts(options.path, named);
    if (context.json)
        printHitsJson(*result, verdicts);
    else
        printHits(*result, verdicts);
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

void addArchiveSearch(CLI::App& archive, Context& context) {
    struct Options {
        QueryOptions query;
        archive::SearchQuery search;
        std::filesystem::path verdicts;
        bool codeOnly = false, namesOnly = false;
    };
    auto options = std::make_shared<Options>();
    options->query.query.limit = 50;
    auto* command = archive.add_subcommand("search", "Find kernels whose code or name contains a text");
    addArchiveOption(*command, options->query.path);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("TEXT", options->search.text, "The text, taken literally")->required();
    command->add_flag("--match-case", options->search.matchCase, "Tell a from A");
    auto* code = command->add_flag("--code-only", options->codeOnly, "Leave the names out");
    command->add_flag("--names-only", options->namesOnly, "Leave the code out")->excludes(code);
    addFilterOptions(*command, options->query);
    command->callback([options, &context] {
        options->search.inNames = !options->codeOnly;
        options->search.inCode = !options->namesOnly;
        context.exitCode = runSearch(context, options->query, options->verdicts, options->search);
    });
}

} // namespace kernelarium::cli
