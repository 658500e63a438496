// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "core/archive/Archive.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

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

/// Prints the one JSON document of a command; text that is not UTF-8 is repaired, not refused.
void printJson(const nlohmann::json& document);

/// Text left-aligned, numbers right-aligned, columns as wide as their widest cell.
class TextTable {
public:
    enum class Align { left, right };
    struct Column {
        std::string title;
        Align align = Align::left;
    };
    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// A number for a table, or "-" when it is missing (empty or NaN).
std::string cell(std::optional<double> value, int digits);
/// Text as it may be put on a terminal: control characters other than line ends and tabs become '?'.
std::string printable(std::string_view text);

/// "1:05": minutes and seconds.
std::string clockText(double seconds);

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
void addArchiveExport(CLI::App& archive, Context& context);
void addArchiveShow(CLI::App& archive, Context& context);
void addArchiveMergeVerdicts(CLI::App& archive, Context& context);

} // namespace kernelarium::cli
