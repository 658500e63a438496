// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/QuerySql.h"

#include <algorithm>
#include <fmt/format.h>
#include <variant>
#include <vector>

namespace kernelarium::archive {
namespace {

using Bound = std::variant<std::int64_t, double, std::string_view>;

std::string namesPartOf(const OperatorClassParts& worded) {
    std::string text;
    for (const auto part : worded.parts)
        text += fmt::format("{}instr(lower(op_name), '{}') > 0", text.empty() ? "" : " OR ", part);
    return "(" + text + ")";
}

/// operatorClassOf as a condition.
std::string classCondition(OperatorClass wanted) {
    if (wanted == OperatorClass::network) return "level = 3";
    std::string text = "level <> 3";
    for (const auto& worded : operatorClassParts()) {
        if (worded.operatorClass == wanted) return text + " AND " + namesPartOf(worded);
        text += " AND NOT " + namesPartOf(worded);
    }
    return text; // other: no class's part
}

/// The conditions of a filter with the values of their parameters, in order.
class Conditions {
public:
    explicit Conditions(const KernelFilter& filter) {
        equal("level", filter.level);
        equal("task", filter.task);
        if (filter.correct) add("correct = ?", std::int64_t(*filter.correct));
        part("op_name", filter.op);
        part("name", filter.name);
        if (!filter.nameWord.empty())
            add("instr('_' || lower(name) || '_', '_' || lower(?) || '_') > 0", std::string_view(filter.nameWord));
        if (filter.operatorClass) condition(classCondition(*filter.operatorClass));
        range("speedup_native", filter.minSpeedupNative, filter.maxSpeedupNative);
        range("speedup_compile", filter.minSpeedupCompile, filter.maxSpeedupCompile);
        range("runtime", filter.minRuntime, filter.maxRuntime);
        range("native_runtime", filter.minNativeRuntime, filter.maxNativeRuntime);
        range("compile_runtime", filter.minCompileRuntime, filter.maxCompileRuntime);
        range("max_diff", filter.minMaxDiff, filter.maxMaxDiff);
        range("code_bytes", filter.minCodeBytes, filter.maxCodeBytes);
        range("original_index", filter.minIndex, filter.maxIndex);
        if (filter.errorKind) add("error_kind = ?", static_cast<std::int64_t>(*filter.errorKind));
        present("error_text", filter.hasError);
        present("ncu_text", filter.hasNcu);
    }

    [[nodiscard]] const std::string& where() const { return m_where; }
    [[nodiscard]] int parameterCount() const { return static_cast<int>(m_values.size()); }

    void bindTo(sqlite::Statement& statement) const {
        for (std::size_t i = 0; i < m_values.size(); ++i)
            std::visit([&](auto value) { statement.bind(static_cast<int>(i) + 1, value); }, m_values[i]);
    }

private:
    void condition(std::string_view text) {
        m_where += fmt::format("{}{}", m_where.empty() ? " WHERE " : " AND ", text);
    }
    void add(std::string_view text, Bound value) {
        condition(text);
        m_values.push_back(value);
    }
    void equal(std::string_view column, const std::optional<std::int64_t>& value) {
        if (value) add(fmt::format("{} = ?", column), *value);
    }
    void part(std::string_view column, std::string_view value) {
        if (!value.empty()) add(fmt::format("instr(lower({}), lower(?)) > 0", column), value);
    }
    void range(std::string_view column, const std::optional<double>& from, const std::optional<double>& to) {
        if (from) add(fmt::format("{} >= ?", column), *from);
        if (to) add(fmt::format("{} <= ?", column), *to);
    }
    void present(std::string_view column, const std::optional<bool>& wanted) {
        if (wanted) condition(fmt::format("{} IS {}NULL", column, *wanted ? "NOT " : ""));
    }

    std::string m_where;
    std::vector<Bound> m_values;
};

sqlite::Statement prepared(sqlite::Database& database, const std::string& sql, const Conditions& conditions) {
    auto statement = database.prepare(sql);
    conditions.bindTo(statement);
    return statement;
}

} // namespace

std::optional<SortColumn> sortColumnFromWord(std::string_view word) {
    for (const auto& info : sortColumns)
        if (info.word == word) return info.column;
    return std::nullopt;
}

sqlite::Statement filtered(sqlite::Database& database, std::string_view select, const KernelFilter& filter) {
    const Conditions conditions(filter);
    return prepared(database, fmt::format("SELECT {} FROM kernel{}", select, conditions.where()), conditions);
}

sqlite::Statement sortedAndPaged(sqlite::Database& database, std::string_view select, const KernelQuery& query) {
    const Conditions conditions(query.filter);
    const auto column = sortColumns.at(static_cast<std::size_t>(query.sort)).stored;
    const auto order = query.sort == SortColumn::id
                           ? fmt::format("id {}", query.descending ? "DESC" : "ASC")
                           : fmt::format("{} {} NULLS LAST, id", column, query.descending ? "DESC" : "ASC");
    auto statement =
        prepared(database,
                 fmt::format("SELECT {} FROM kernel{} ORDER BY {} LIMIT ? OFFSET ?", select, conditions.where(), order),
                 conditions);
    statement.bind(conditions.parameterCount() + 1, query.limit);
    statement.bind(conditions.parameterCount() + 2, query.offset);
    return statement;
}

std::string summarySelection() {
    return "id, level, task, op_name, name, code_hash, code_bytes, runtime, native_runtime, compile_runtime, "
           "speedup_native, speedup_compile, correct, max_diff, error_kind, original_index, (SELECT origin.name FROM "
           "origin WHERE origin.id = kernel.origin), module_text IS NOT NULL, functional_text IS NOT NULL, error_text "
           "IS NOT NULL, ncu_text IS NOT NULL, torch_text IS NOT NULL, tidy_text IS NOT NULL";
}

KernelSummary summaryAt(const sqlite::Statement& row) {
    KernelSummary summary;
    summary.id = row.integer(0);
    summary.level = row.integer(1);
    summary.task = row.integer(2);
    summary.opName = row.text(3);
    summary.name = row.text(4);
    const auto hash = row.blob(5);
    std::copy_n(hash.begin(), std::min(hash.size(), summary.codeHash.size()), summary.codeHash.begin());
    summary.codeBytes = row.integer(6);
    summary.runtime = row.optionalReal(7);
    summary.nativeRuntime = row.optionalReal(8);
    summary.compileRuntime = row.optionalReal(9);
    summary.speedupNative = row.optionalReal(10);
    summary.speedupCompile = row.optionalReal(11);
    if (!row.isNull(12)) summary.correct = row.integer(12) != 0;
    summary.maxDiff = row.optionalReal(13);
    const auto kind = static_cast<std::size_t>(row.integer(14));
    summary.errorKind = kind < errorKindWords.size() ? static_cast<ErrorKind>(kind) : ErrorKind::other;
    summary.originalIndex = row.optionalInteger(15);
    summary.origin = row.text(16);
    summary.hasModule = row.integer(17) != 0;
    summary.hasFunctional = row.integer(18) != 0;
    summary.hasError = row.integer(19) != 0;
    summary.hasNcu = row.integer(20) != 0;
    summary.hasTorch = row.integer(21) != 0;
    summary.hasTidy = row.integer(22) != 0;
    return summary;
}

} // namespace kernelarium::archive
