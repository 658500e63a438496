// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/archive/store/Search.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// The options that list, search and audit share, as they are typed.
struct QueryOptions {
    std::filesystem::path path;
    archive::KernelQuery query;
    std::string sort = "id";
    std::string errorKind;
    std::string verdict, reason, remark; ///< as the fields of a search take them
    bool correct = false, incorrect = false;
    bool withError = false, withoutError = false;
};

/// --level, --task, ..., --sort, --limit; what `options` holds already is the default.
void addFilterOptions(CLI::App& command, QueryOptions& options);
/// What was typed, once everything is parsed: filter, order and limits, and as a condition what is asked of our
/// verdicts. Error "bad_input".
Result<archive::SearchQuery> completed(const QueryOptions& options);

/// The kernels that a query without a text finds, and how many there are without its limit.
struct ListedKernels {
    std::vector<archive::KernelSummary> kernels;
    std::int64_t total = 0;
};
/// `query` has our verdicts where it asks for them. Errors: the archive's.
Result<ListedKernels> listKernels(archive::Archive& opened, const archive::SearchQuery& query);

} // namespace kernelarium::cli
