// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ArchiveCommands.h"

#include <CLI/CLI.hpp>

namespace kernelarium::cli {
void addArchiveCommands(CLI::App& app, Context& context) {
    auto* archive = app.add_subcommand("archive", "Import, search and read archived kernels");
    archive->require_subcommand(1);
    archive->fallthrough(); // --json may stand anywhere
    addArchiveImport(*archive, context);
    addArchiveGet(*archive, context);
    addArchiveStats(*archive, context);
    addArchiveLineage(*archive, context);
    addArchiveList(*archive, context);
    addArchiveSearch(*archive, context);
    addArchiveSearches(*archive, context);
    addArchiveLike(*archive, context);
    addArchiveExport(*archive, context);
    addArchiveShow(*archive, context);
    addArchiveMergeVerdicts(*archive, context);
}

} // namespace kernelarium::cli
