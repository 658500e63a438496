// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace kernelarium::cli {
namespace {

template <class T> nlohmann::json orNull(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

/// How many terminal cells a UTF-8 text takes, one for each character.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

std::filesystem::path defaultArchivePath() {
    if (const char* named = std::getenv("KERNELARIUM_DB"); named != nullptr && *named != '\0') return named;
    std::filesystem::path data;
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        data = xdg;
    else if (const char* home = std::getenv("HOME"); home != nullptr)
        data = std::filesystem::path(home) / ".local/share";
    return data / "kernelarium" / "archive.sqlite";
}

void addArchiveOption(CLI::App& command, std::filesystem::path& path) {
    path = defaultArchivePath();
    command.add_option("--db", path, "The archive file")->default_str(path.string())->option_text("FILE");
}

nlohmann::json toJson(const archive::KernelSummary& kernel) {
    return {{"id", kernel.id},
            {"label", kernel.label()},
            {"level", kernel.level},
            {"task", kernel.task},
            {"op_name", kernel.opName},
            {"name", kernel.name},
            {"code_hash", archive::toHex(kernel.codeHash)},
            {"code_bytes", kernel.codeBytes},
            {"runtime_ms", orNull(kernel.runtime)},
            {"native_runtime_ms", orNull(kernel.nativeRuntime)},
            {"compile_runtime_ms", orNull(kernel.compileRuntime)},
            {"speedup_native", orNull(kernel.speedupNative)},
            {"speedup_compile", orNull(kernel.speedupCompile)},
            {"correct", orNull(kernel.correct)},
            {"max_diff", orNull(kernel.maxDiff)},
            {"error_kind", archive::errorKindWord(kernel.errorKind)},
            {"original_index", orNull(kernel.originalIndex)},
            {"origin", kernel.origin},
            {"has_module", kernel.hasModule},
            {"has_functional", kernel.hasFunctional},
            {"has_error", kernel.hasError},
            {"has_ncu", kernel.hasNcu},
            {"has_torch", kernel.hasTorch},
            {"has_clang_tidy", kernel.hasTidy}};
}

void printJson(const nlohmann::json& document) {
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (const auto& column : m_columns)
        widths.push_back(width(column.title));
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));

    std::string out;
    const auto line = [&](auto&& cellAt) {
        std::string written;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string& value = cellAt(i);
            const std::string padding(widths[i] - width(value), ' ');
            if (i > 0) written += "  ";
            written += m_columns[i].align == Align::right ? padding + value : value + padding;
        }
        written.erase(written.find_last_not_of(' ') + 1);
        out += written + "\n";
    };
    line([&](std::size_t i) -> const std::string& { return m_columns[i].title; });
    for (const auto& row : m_rows)
        line([&](std::size_t i) -> const std::string& { return row[i]; });
    return out;
}

std::string cell(std::optional<double> value, int digits) {
    return value && !std::isnan(*value) ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string printable(std::string_view text) {
    std::string clean(text);
    for (char& c : clean) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 32 && c != '\n' && c != '\t') || byte == 127) c = '?';
    }
    return clean;
}

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
    addArchiveExport(*archive, context);
    addArchiveShow(*archive, context);
    addArchiveMergeVerdicts(*archive, context);
}

} // namespace kernelarium::cli
