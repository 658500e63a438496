// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

/// The options that list and search share, as they are typed.
struct QueryOptions {
    std::filesystem::path path;
    archive::KernelQuery query;
    std::string sort = "id";
    std::string errorKind;
    bool correct = false, incorrect = false;
    bool withError = false, withoutError = false;
};

std::vector<std::string> sortWords() {
    std::vector<std::string> words;
    for (const auto& info : archive::sortColumns)
        words.emplace_back(info.word);
    return words;
}

std::vector<std::string> errorWords() {
    return {archive::errorKindWords.begin(), archive::errorKindWords.end()};
}

void addFilterOptions(CLI::App& command, QueryOptions& options) {
    auto& filter = options.query.filter;
    command.add_option("--level", filter.level, "Only this level");
    command.add_option("--task", filter.task, "Only this task of the level");
    command.add_option("--op", filter.op, "Part of the operator's name");
    command.add_option("--name", filter.name, "Part of the kernel's name");
    auto* correct = command.add_flag("--correct", options.correct, "Only kernels marked correct");
    command.add_flag("--incorrect", options.incorrect, "Only kernels marked incorrect")->excludes(correct);
    auto* withError = command.add_flag("--with-error", options.withError, "Only kernels with an error text");
    command.add_flag("--without-error", options.withoutError, "Only kernels without one")
        ->excludes(withError);
    command.add_option("--error-kind", options.errorKind, "Only kernels that failed at this stage")
        ->check(CLI::IsMember(errorWords()));
    command.add_option("--min-speedup", filter.minSpeedupNative, "Least speed-up over PyTorch native");
    command.add_option("--max-speedup", filter.maxSpeedupNative, "Greatest speed-up over PyTorch native");
    command.add_option("--min-speedup-compile", filter.minSpeedupCompile,
                       "Least speed-up over torch.compile");
    command.add_option("--max-speedup-compile", filter.maxSpeedupCompile,
                       "Greatest speed-up over torch.compile");
    command.add_option("--min-runtime", filter.minRuntime, "Least time in milliseconds");
    command.add_option("--max-runtime", filter.maxRuntime, "Greatest time in milliseconds");
    command.add_option("--sort", options.sort, "Column to sort by")
        ->check(CLI::IsMember(sortWords()))
        ->capture_default_str();
    command.add_flag("--desc", options.query.descending, "Greatest first");
    command.add_option("--limit", options.query.limit, "Rows at most; 0: all")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--offset", options.query.offset, "Rows to pass over")->check(CLI::NonNegativeNumber);
}

archive::KernelQuery completed(const QueryOptions& options) {
    auto query = options.query;
    if (options.correct || options.incorrect) query.filter.correct = options.correct;
    if (options.withError || options.withoutError) query.filter.hasError = options.withError;
    if (!options.errorKind.empty()) query.filter.errorKind = archive::errorKindFromWord(options.errorKind);
    query.sort = *archive::sortColumnFromWord(options.sort);
    if (query.limit == 0) query.limit = -1;
    return query;
}

std::string verdictWord(const archive::KernelSummary& kernel) {
    if (!kernel.correct) return "-";
    return *kernel.correct ? "correct" : std::string(archive::errorKindWord(kernel.errorKind));
}

void printKernels(const std::vector<archive::KernelSummary>& kernels, std::int64_t total) {
    using Align = TextTable::Align;
    TextTable table({{"ID", Align::right},
                     {"KERNEL"},
                     {"OPERATOR"},
                     {"ARCHIVED AS"},
                     {"MS", Align::right},
                     {"x NATIVE", Align::right},
                     {"x COMPILE", Align::right},
                     {"BYTES", Align::right}});
    for (const auto& kernel : kernels)
        table.add({std::to_string(kernel.id), kernel.label(), kernel.opName, verdictWord(kernel),
                   cell(kernel.runtime, 3), cell(kernel.speedupNative, 2), cell(kernel.speedupCompile, 2),
                   std::to_string(kernel.codeBytes)});
    fmt::print("{}{} of {} kernels\n", table.text(), kernels.size(), total);
}

int runList(Context& context, const QueryOptions& options) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    const auto query = completed(options);
    auto kernels = opened->list(query);
    if (!kernels) return report(context, kernels.error());
    auto total = opened->count(query.filter);
    if (!total) return report(context, total.error());
    if (!context.json) {
        printKernels(*kernels, *total);
        return exitSuccess;
    }
    auto rows = nlohmann::json::array();
    for (const auto& kernel : *kernels)
        rows.push_back(toJson(kernel));
    printJson({{"total", *total}, {"kernels", rows}});
    return exitSuccess;
}

void printHitsJson(const archive::SearchResult& result) {
    auto hits = nlohmann::json::array();
    for (const auto& hit : result.hits) {
        auto json = toJson(hit.kernel);
        json["match"] = {{"in_name", hit.inName}, {"in_code", hit.inCode}, {"line", hit.line},
                         {"column", hit.column},  {"text", hit.lineText},  {"count", hit.matches}};
        hits.push_back(std::move(json));
    }
    printJson({{"complete", result.complete}, {"hits", hits}});
}

void printHits(const archive::SearchResult& result) {
    TextTable table({{"ID", TextTable::Align::right},
                     {"KERNEL"},
                     {"LINE", TextTable::Align::right},
                     {"MATCHES", TextTable::Align::right},
                     {"TEXT"}});
    for (const auto& hit : result.hits)
        table.add({std::to_string(hit.kernel.id), hit.kernel.label(),
                   hit.inCode ? std::to_string(hit.line) : "name", std::to_string(hit.matches),
                   printable(hit.lineText)});
    fmt::print("{}{} kernels{}\n", table.text(), result.hits.size(),
               result.complete ? "" : " (there may be more: --limit 0 finds all)");
}

int runSearch(Context& context, const QueryOptions& options, archive::SearchQuery search) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    search.kernels = completed(options);
    auto result = opened->search(search);
    if (!result) return report(context, result.error());
    if (context.json)
        printHitsJson(*result);
    else
        printHits(*result);
    return exitSuccess;
}

} // namespace

void addArchiveList(CLI::App& archive, Context& context) {
    auto options = std::make_shared<QueryOptions>();
    options->query.limit = 50;
    auto* command = archive.add_subcommand("list", "List kernels, filtered and sorted");
    addArchiveOption(*command, options->path);
    addFilterOptions(*command, *options);
    command->callback([options, &context] { context.exitCode = runList(context, *options); });
}

void addArchiveSearch(CLI::App& archive, Context& context) {
    struct Options {
        QueryOptions query;
        archive::SearchQuery search;
        bool codeOnly = false, namesOnly = false;
    };
    auto options = std::make_shared<Options>();
    options->query.query.limit = 50;
    auto* command = archive.add_subcommand("search", "Find kernels whose code or name contains a text");
    addArchiveOption(*command, options->query.path);
    command->add_option("TEXT", options->search.text, "The text, taken literally")->required();
    command->add_flag("--match-case", options->search.matchCase, "Tell a from A");
    auto* code = command->add_flag("--code-only", options->codeOnly, "Leave the names out");
    command->add_flag("--names-only", options->namesOnly, "Leave the code out")->excludes(code);
    addFilterOptions(*command, options->query);
    command->callback([options, &context] {
        options->search.inNames = !options->codeOnly;
        options->search.inCode = !options->namesOnly;
        context.exitCode = runSearch(context, options->query, options->search);
    });
}

} // namespace kernelarium::cli
