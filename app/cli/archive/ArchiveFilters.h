// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Query.h"

#include <filesystem>
#include <string>

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
    bool correct = false, incorrect = false;
    bool withError = false, withoutError = false;
};

/// --level, --task, ..., --sort, --limit; what `options` holds already is the default.
void addFilterOptions(CLI::App& command, QueryOptions& options);
/// What was typed, once everything is parsed.
[[nodiscard]] archive::KernelQuery completed(const QueryOptions& options);

} // namespace kernelarium::cli
