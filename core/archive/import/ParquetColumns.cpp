// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/ParquetColumns.h"

#include "core/archive/import/JsonTokens.h"
#include "core/archive/import/RowCheck.h"
#include "core/archive/store/OwnVerdicts.h"
#include "core/text/UntrustedJson.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::archive {
namespace {

enum class Family { integer, largeInteger, real, boolean, text, binary, other };

Family familyOf(std::string_view type) {
    for (const auto name : {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"})
        if (type == name) return Family::integer;
    for (const auto name : {"UBIGINT", "HUGEINT", "UHUGEINT"})
        if (type == name) return Family::largeInteger;
    if (type == "FLOAT" || type == "DOUBLE" || type.starts_with("DECIMAL")) return Family::real;
    if (type == "BOOLEAN") return Family::boolean;
    if (type == "VARCHAR" || type == "JSON" || type.starts_with("ENUM")) return Family::text;
    return type == "BLOB" ? Family::binary : Family::other;
}

bool isNumber(Family family) {
    return family == Family::integer || family == Family::largeInteger || family == Family::real;
}
bool isText(Family family) {
    return family == Family::text || family == Family::binary;
}

enum class Wanted { integer, number, boolean, text };

struct Published {
    std::string_view name;
    Wanted wanted;
    bool required;
};

/// In the order of the selection; the texts of TextKind follow in theirs.
constexpr std::array<Published, 12> parquetValues = {{{"Op_Name", Wanted::text, true},
                                                      {"Level_ID", Wanted::integer, true},
                                                      {"Task_ID", Wanted::integer, true},
                                                      {"Kernel_Name", Wanted::text, true},
                                                      {"CUDA_Runtime", Wanted::number, false},
                                                      {"PyTorch_Native_Runtime", Wanted::number, false},
                                                      {"PyTorch_Compile_Runtime", Wanted::number, false},
                                                      {"CUDA_Speedup_Native", Wanted::number, false},
                                                      {"CUDA_Speedup_Compile", Wanted::number, false},
                                                      {"Correct", Wanted::boolean, false},
                                                      {"Max_Diff", Wanted::number, false},
                                                      {"__index_level_0__", Wanted::integer, false}}};
constexpr std::size_t firstText = parquetValues.size();

std::vector<Published> published() {
    std::vector<Published> all(parquetValues.begin(), parquetValues.end());
    for (const auto& info : textKinds)
        all.push_back({info.published, Wanted::text, info.kind == TextKind::cudaCode});
    return all;
}

bool suits(Wanted wanted, Family family) {
    switch (wanted) {
    case Wanted::integer:
    case Wanted::number: return isNumber(family);
    case Wanted::boolean: return family == Family::boolean;
    case Wanted::text: return isText(family);
    }
    return false;
}

std::string_view wordOf(Wanted wanted) {
    switch (wanted) {
    case Wanted::integer: return "integers";
    case Wanted::number: return "numbers";
    case Wanted::boolean: return "booleans";
    case Wanted::text: return "texts";
    }
    return "";
}

const ParquetColumns::Column* find(const std::vector<ParquetColumns::Column>& columns, std::string_view name) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

std::string expression(const ParquetColumns::Column* column, Wanted wanted) {
    const Family family = column != nullptr ? familyOf(column->type) : Family::other;
    std::string type = wanted == Wanted::text ? "VARCHAR" : wanted == Wanted::boolean ? "BOOLEAN" : "DOUBLE";
    if (wanted == Wanted::integer && family == Family::integer) type = "BIGINT";
    if (column == nullptr) return fmt::format("CAST(NULL AS {})", type);
    const std::string name = duckdb::sqlName(column->name);
    if (family == Family::binary) return fmt::format("decode({})", name); // text that was not marked as such
    return fmt::format("CAST({} AS {})", name, type);
}

std::optional<double> finite(const duckdb::Rows& rows, std::size_t column) {
    if (rows.isNull(column)) return std::nullopt;
    const double value = rows.real(column);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

std::vector<std::string> ParquetColumns::unexpected(const std::vector<Column>& columns) {
    std::vector<std::string> names;
    for (const auto& wanted : published())
        if (const Column* column = find(columns, wanted.name))
            if (!suits(wanted.wanted, familyOf(column->type))) names.push_back(column->name);
    return names;
}

Result<ParquetColumns> ParquetColumns::plan(const std::vector<Column>& columns, const std::set<std::string>& allNull) {
    const auto bad = [](std::string message) {
        return Error{"bad_parquet", std::move(message),
                     "The columns should be those of the published archive: Level_ID, Task_ID, Op_Name, "
                     "Kernel_Name and CUDA_Code at least."};
    };
    ParquetColumns planned;
    std::set<std::string_view> known;
    std::size_t integers = 0;
    for (const auto& wanted : published()) {
        known.insert(wanted.name);
        const Column* column = find(columns, wanted.name);
        if (column == nullptr && wanted.required) return bad(fmt::format("it has no column {}", wanted.name));
        if (column != nullptr && !suits(wanted.wanted, familyOf(column->type))) {
            if (wanted.required || !allNull.contains(column->name))
                return bad(fmt::format("its column {} has values of type {}, not {}", wanted.name, column->type,
                                       wordOf(wanted.wanted)));
            column = nullptr;
        }
        planned.select(expression(column, wanted.wanted));
        if (wanted.wanted != Wanted::integer) continue;
        const bool whole = column != nullptr && familyOf(column->type) == Family::integer;
        planned.m_integers[integers++] = whole ? Form::integer : Form::wholeReal;
    }
    for (const auto& column : columns)
        if (!known.contains(column.name) && column.name != ownVerdictColumn) planned.addExtra(column);
    return planned;
}

std::size_t ParquetColumns::select(const std::string& selected) {
    m_selection += (m_selection.empty() ? "" : ", ") + selected;
    return m_count++;
}

void ParquetColumns::addExtra(const Column& column) {
    const std::string name = duckdb::sqlName(column.name);
    const auto add = [&](Form form, std::string_view pattern) {
        m_extra.push_back({column.name, form, select(fmt::format(fmt::runtime(pattern), name))});
    };
    switch (familyOf(column.type)) {
    case Family::integer: return add(Form::integer, "CAST({} AS BIGINT)");
    case Family::boolean: return add(Form::boolean, "{}");
    case Family::text:
    case Family::binary: return add(Form::text, "CAST({} AS VARCHAR)");
    case Family::real: return add(Form::real, "CAST({} AS DOUBLE)");
    case Family::largeInteger:
    case Family::other: return add(Form::json, "CAST(to_json({}) AS VARCHAR)");
    }
}

std::string ParquetColumns::read(const duckdb::Rows& rows, SourceRow& row) const {
    row = SourceRow{};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < m_integers.size(); ++i) {
        constexpr std::array<std::size_t, 3> at = {1, 2, 11};
        const std::string_view name = parquetValues[at[i]].name;
        std::optional<std::int64_t> value;
        if (m_integers[i] == Form::integer) {
            if (!rows.isNull(at[i])) value = rows.integer(at[i]);
        } else if (const auto real = finite(rows, at[i])) {
            if (!(std::abs(*real) < 1e15) || *real != std::floor(*real))
                return fmt::format("{} should be an integer and is {}", name, *real);
            value = static_cast<std::int64_t>(*real);
        }
        if (!value && parquetValues[at[i]].required) return fmt::format("{} is missing", name);
        if (i == 0) row.level = *value;
        if (i == 1) row.task = *value;
        if (i == 2) row.originalIndex = value;
    }
    for (const std::size_t at : {std::size_t(0), std::size_t(3)})
        if (rows.isNull(at)) return fmt::format("{} is missing", parquetValues[at].name);
    row.opName = rows.text(0);
    row.name = rows.text(3);
    row.runtime = finite(rows, 4);
    row.nativeRuntime = finite(rows, 5);
    row.compileRuntime = finite(rows, 6);
    row.speedupNative = finite(rows, 7);
    row.speedupCompile = finite(rows, 8);
    if (!rows.isNull(9)) row.correct = rows.boolean(9);
    row.maxDiff = finite(rows, 10);
    for (std::size_t kind = 0; kind < textKindCount; ++kind)
        if (!rows.isNull(firstText + kind)) bytes += rows.text(firstText + kind).size();
    if (bytes > longestRow)
        return fmt::format("the row has {} bytes of text; the most allowed are {} ({} MB)", bytes, longestRow,
                           longestRow >> 20);
    for (std::size_t kind = 0; kind < textKindCount; ++kind)
        if (!rows.isNull(firstText + kind)) row.texts[kind] = std::string(rows.text(firstText + kind));
    if (std::string problem = rowProblem(row); !problem.empty()) return problem;
    row.extraJson = extraJson(rows);
    if (row.extraJson.size() > longestRow) return "its other columns have more than 32 MB of text";
    return {};
}

std::string ParquetColumns::extraJson(const duckdb::Rows& rows) const {
    auto object = nlohmann::json::object();
    for (const auto& extra : m_extra) {
        if (rows.isNull(extra.column)) continue;
        switch (extra.form) {
        case Form::boolean: object[extra.name] = rows.boolean(extra.column); break;
        case Form::integer:
        case Form::wholeReal: object[extra.name] = rows.integer(extra.column); break;
        case Form::real:
            if (const auto value = finite(rows, extra.column)) object[extra.name] = *value;
            break;
        case Form::text: object[extra.name] = rows.text(extra.column); break;
        case Form::json: {
            const auto parsed = text::untrustedJson(nonFiniteToNull(rows.text(extra.column)));
            if (parsed.is_discarded())
                object[extra.name] = rows.text(extra.column);
            else if (!parsed.is_null())
                object[extra.name] = parsed;
            break;
        }
        }
    }
    return object.empty() ? std::string() : object.dump();
}

} // namespace kernelarium::archive
