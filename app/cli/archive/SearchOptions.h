// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/archive/ArchiveFilters.h"
#include "core/archive/store/Search.h"
#include "core/session/SavedSearches.h"

namespace kernelarium::cli {

/// What search and export share, as it is typed.
struct SearchOptions {
    QueryOptions query;
    std::string text;
    bool literal = false, regex = false, matchCase = false, fold = false;
    bool codeOnly = false, namesOnly = false;
    std::string saved; ///< name of a saved search to begin with
    std::filesystem::path sessionFile;
};

/// The file that the window keeps its sessions in.
std::filesystem::path defaultSessionPath();
void addSessionOption(CLI::App& command, std::filesystem::path& path);

/// TEXT, --literal, --regex, ... and the filters.
void addSearchOptions(CLI::App& command, SearchOptions& options);
/// What is to be searched for, once everything is parsed; reads the saved search when one is named.
Result<archive::SearchQuery> searchFrom(const SearchOptions& options);
/// The same as something to save.
session::SavedSearch savedFrom(const SearchOptions& options, const std::string& name);

} // namespace kernelarium::cli
