// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/SchemaCheck.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <ranges>
#include <stdexcept>
#include <utility>

namespace kernelarium::sqlite {
namespace {

/// The end of what is quoted or a comment from `at` on, as SQLite reads it; `at` itself for anything else.
std::size_t endOfPiece(std::string_view sql, std::size_t at) {
    const auto behind = [&](std::string_view end, std::size_t from) {
        const auto found = sql.find(end, from);
        return found == std::string_view::npos ? sql.size() : found + end.size();
    };
    if (sql.substr(at, 2) == "--") return behind("\n", at);
    if (sql.substr(at, 2) == "/*") return behind("*/", at + 2);
    switch (sql[at]) {
    case '[': return behind("]", at + 1);
    case '\'':
    case '"':
    case '`': return behind(sql.substr(at, 1), at + 1); // a doubled quote begins the next piece
    default: return at;
    }
}

/// Without comments, blanks only where they part words.
std::string plain(std::string_view sql) {
    const auto isWordEnd = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string text;
    bool blank = false;
    for (std::size_t at = 0; at < sql.size();) {
        const std::size_t end = endOfPiece(sql, at);
        const bool isComment = end > at && (sql[at] == '-' || sql[at] == '/');
        if (isComment || std::isspace(static_cast<unsigned char>(sql[at])) != 0) {
            blank = true;
            at = isComment ? end : at + 1;
            continue;
        }
        const auto piece = sql.substr(at, std::max<std::size_t>(end - at, 1));
        if (blank && !text.empty() && isWordEnd(text.back()) && isWordEnd(piece.front())) text += ' ';
        blank = false;
        text += piece;
        at += piece.size();
    }
    return text;
}

using Named = std::pair<std::string, std::string>; ///< type and name
struct Made {
    std::string table; ///< that it belongs to
    std::string sql;
    bool operator==(const Made&) const = default;
};

/// A name out of a file that is not trusted, fit to be read.
std::string shown(const Named& named) {
    constexpr std::size_t longest = 60;
    std::string text;
    for (const char c : named.second.substr(0, longest))
        text += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f ? '?' : c;
    if (named.second.size() > longest) text += "...";
    for (const std::string_view type : {"table", "index", "view", "trigger"})
        if (named.first == type) return fmt::format("{} `{}`", type, text);
    return fmt::format("entry `{}`", text);
}

std::map<Named, Made> schemaOf(Database& database) {
    std::map<Named, Made> schema;
    auto row = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema");
    while (row.step()) {
        Named named(row.text(0), row.text(1));
        if (!schema.try_emplace(named, Made{std::string(row.text(2)), plain(row.text(3))}).second)
            throw std::runtime_error(fmt::format("it has two {}", shown(named)));
    }
    return schema;
}

std::map<Named, Made> ownSchema(std::span<const Migration> migrations, std::size_t version, Migration beside) {
    Database made("schema", Database::Access::memory);
    for (const Migration step : migrations.first(version))
        step(made);
    if (beside != nullptr) beside(made);
    return schemaOf(made);
}

Refusal foreignSchema(const FileKind& kind, const std::filesystem::path& path, const std::string& what) {
    return {{std::string(kind.foreign),
             fmt::format("The {} {} {}, and is not opened: what it answered would not be its rows.", kind.name,
                         path.string(), what),
             fmt::format("It is left as it is. Take it from somebody you trust. {}", kind.repair)}};
}

} // namespace

void checkSchema(const FileKind& kind, Database& database, const std::filesystem::path& path,
                 std::span<const Migration> migrations, Migration beside) {
    const auto version = database.number("PRAGMA user_version");
    if (version < 0 || std::size_t(version) > migrations.size())
        throw damaged(kind, path, "its version is not one of Kernelarium");
    const auto there = schemaOf(database);
    if (version == 0 && there.empty()) return;
    auto own = ownSchema(migrations, std::size_t(version), nullptr);
    if (beside != nullptr && there.size() > own.size()) own = ownSchema(migrations, std::size_t(version), beside);
    for (const auto& [named, made] : std::views::reverse(there)) { // views, triggers, tables, then their indices
        const auto known = own.find(named);
        if (known == own.end())
            throw foreignSchema(kind, path, fmt::format("has the {}, which no Kernelarium makes", shown(named)));
        if (known->second != made)
            throw foreignSchema(kind, path, fmt::format("has another {} than Kernelarium makes", shown(named)));
    }
    for (const auto& [named, made] : own)
        if (!there.contains(named)) throw damaged(kind, path, fmt::format("the {} is missing", shown(named)));
}

} // namespace kernelarium::sqlite
