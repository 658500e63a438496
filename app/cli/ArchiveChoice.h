// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// The archive that is used when --db is not given: $KERNELARIUM_DB, else kernelarium/archive.sqlite in the
/// XDG data folder.
std::filesystem::path defaultArchivePath();

/// Adds --db to a command; the default path is filled in when the command is built.
void addArchiveOption(CLI::App& command, std::filesystem::path& path);

/// A kernel's numbers and flags with the names that every --json output uses.
nlohmann::json toJson(const archive::KernelSummary& kernel);

} // namespace kernelarium::cli
