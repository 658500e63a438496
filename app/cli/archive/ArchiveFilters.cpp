// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ArchiveFilters.h"

#include "app/cli/NumberChecks.h"
#include "core/archive/search/SearchSyntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace kernelarium::cli {

namespace {

std::vector<std::string> sortWords() {
    std::vector<std::string> words;
    for (const auto& info : archive::sortColumns)
        words.emplace_back(info.word);
    return words;
}

std::vector<std::string> errorWords() {
    return {archive::errorKindWords.begin(), archive::errorKindWords.end()};
}

} // namespace

void addFilterOptions(CLI::App& command, QueryOptions& options) {
    auto& filter = options.query.filter;
    command.add_option("--level", filter.level, "Only this level");
    command.add_option("--task", filter.task, "Only this task of the level");
    command.add_option("--op", filter.op, "Part of the operator's name");
    command.add_option("--name", filter.name, "Part of the kernel's name");
    auto* correct = command.add_flag("--correct", options.correct, "Only kernels marked correct");
    command.add_flag("--incorrect", options.incorrect, "Only kernels marked incorrect")->excludes(correct);
    auto* withError = command.add_flag("--with-error", options.withError, "Only kernels with an error text");
    command.add_flag("--without-error", options.withoutError, "Only kernels without an error text")
        ->excludes(withError);
    command.add_option("--error-kind", options.errorKind, "Only kernels that failed at this stage")
        ->check(CLI::IsMember(errorWords()));
    command
        .add_option("--verdict", options.verdict,
                    "Only kernels with one of these verdicts of ours: wrong,fault; also none, any, stale")
        ->option_text("WORDS");
    command.add_option("--reason", options.reason, "Only kernels whose verdict has a reason with one of these words")
        ->option_text("WORDS");
    command.add_option("--remark", options.remark, "Only kernels whose verdict has a remark with one of these words")
        ->option_text("WORDS");
    command.add_option("--min-speedup", filter.minSpeedupNative, "Minimum speed-up over PyTorch native");
    command.add_option("--max-speedup", filter.maxSpeedupNative, "Maximum speed-up over PyTorch native");
    command.add_option("--min-speedup-compile", filter.minSpeedupCompile, "Minimum speed-up over torch.compile");
    command.add_option("--max-speedup-compile", filter.maxSpeedupCompile, "Maximum speed-up over torch.compile");
    command.add_option("--min-runtime", filter.minRuntime, "Minimum time in milliseconds");
    command.add_option("--max-runtime", filter.maxRuntime, "Maximum time in milliseconds");
    command.add_option("--sort", options.sort, "Column to sort by")
        ->check(CLI::IsMember(sortWords()))
        ->capture_default_str();
    command.add_flag("--desc", options.query.descending, "Greatest first");
    command.add_option("--limit", options.query.limit, "Maximum number of rows; 0: all")
        ->check(numberFromZero())
        ->capture_default_str();
    command.add_option("--offset", options.query.offset, "Rows to skip")->check(numberFromZero());
}

Result<archive::SearchQuery> completed(const QueryOptions& options) {
    archive::SearchQuery search;
    auto& query = search.kernels = options.query;
    if (options.correct || options.incorrect) query.filter.correct = options.correct;
    if (options.withError || options.withoutError) query.filter.hasError = options.withError;
    if (!options.errorKind.empty()) query.filter.errorKind = archive::errorKindFromWord(options.errorKind);
    query.sort = *archive::sortColumnFromWord(options.sort);
    if (query.limit == 0) query.limit = -1;
    for (const auto& [field, value] :
         {std::pair{"verdict", &options.verdict}, {"reason", &options.reason}, {"remark", &options.remark}}) {
        if (value->empty()) continue;
        auto condition = archive::parseCondition(field, *value);
        if (!condition) return condition.error();
        search.condition = archive::bothOf(search.condition, std::move(*condition));
    }
    return search;
}

Result<ListedKernels> listKernels(archive::Archive& opened, const archive::SearchQuery& query) {
    ListedKernels listed;
    if (!query.condition && !query.asksForVerdicts()) { // the file answers it
        auto kernels = opened.list(query.kernels);
        if (!kernels) return kernels.error();
        auto total = opened.count(query.kernels.filter);
        if (!total) return total.error();
        return ListedKernels{std::move(*kernels), *total};
    }
    archive::SearchQuery all = query;
    all.kernels.limit = -1;
    all.kernels.offset = 0;
    auto found = opened.search(all);
    if (!found) return found.error();
    listed.total = std::int64_t(found->hits.size());
    const std::int64_t begin = std::min(query.kernels.offset, listed.total);
    const std::int64_t end =
        query.kernels.limit < 0 ? listed.total : std::min(listed.total, begin + query.kernels.limit);
    for (std::int64_t i = begin; i < end; ++i)
        listed.kernels.push_back(std::move(found->hits[std::size_t(i)].kernel));
    return listed;
}

} // namespace kernelarium::cli
