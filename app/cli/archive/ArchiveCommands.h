// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/ArchiveChoice.h"
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "core/archive/store/Archive.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct ImportCommand {
    std::filesystem::path path; ///< the archive
    std::vector<std::filesystem::path> inputs;
    bool update = false;
};
/// Imports, shows how it goes and prints what came of it; the exit code.
int importFiles(Context& context, const ImportCommand& command, const std::stop_token& stop);

// Parts of addArchiveCommands, one for each subcommand.
void addArchiveImport(CLI::App& archive, Context& context);
void addArchiveGet(CLI::App& archive, Context& context);
void addArchiveStats(CLI::App& archive, Context& context);
void addArchiveLineage(CLI::App& archive, Context& context);
void addArchiveList(CLI::App& archive, Context& context);
void addArchiveSearch(CLI::App& archive, Context& context);
void addArchiveSearches(CLI::App& archive, Context& context);
void addArchiveLike(CLI::App& archive, Context& context);
void addArchiveExport(CLI::App& archive, Context& context);
void addArchiveShow(CLI::App& archive, Context& context);
void addArchiveMergeVerdicts(CLI::App& archive, Context& context);

} // namespace kernelarium::cli
