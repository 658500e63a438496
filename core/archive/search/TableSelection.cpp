// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/TableSelection.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

namespace kernelarium::archive {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

/// `part` is in lower case.
bool contains(std::string_view text, std::string_view part) {
    if (part.empty()) return true;
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == b; }) != text.end();
}

bool within(double value, const std::optional<double>& least, const std::optional<double>& most) {
    if (!least && !most) return true;
    if (std::isnan(value)) return false;
    return (!least || value >= *least) && (!most || value <= *most);
}

class Filter {
public:
    Filter(const KernelTable& table, const TableSelection& selection)
        : m_table(table)
        , m_filter(selection.filter)
        , m_op(lowered(selection.filter.op))
        , m_name(lowered(selection.filter.name))
        , m_word(selection.filter.nameWord.empty() ? std::string() : '_' + lowered(selection.filter.nameWord) + '_') {}

    [[nodiscard]] bool accepts(std::size_t row) const {
        const KernelTable& t = m_table;
        if (m_filter.level && t.level[row] != *m_filter.level) return false;
        if (m_filter.task && t.task[row] != *m_filter.task) return false;
        if (m_filter.correct &&
            t.correct[row] != (*m_filter.correct ? KernelTable::Correct::yes : KernelTable::Correct::no))
            return false;
        if (!within(t.speedupNative[row], m_filter.minSpeedupNative, m_filter.maxSpeedupNative)) return false;
        if (!within(t.speedupCompile[row], m_filter.minSpeedupCompile, m_filter.maxSpeedupCompile)) return false;
        if (!within(t.runtime[row], m_filter.minRuntime, m_filter.maxRuntime)) return false;
        if (m_filter.hasError && bool(t.hasError[row]) != *m_filter.hasError) return false;
        if (m_filter.errorKind && t.errorKind[row] != *m_filter.errorKind) return false;
        if (m_filter.hasNcu && bool(t.hasNcu[row]) != *m_filter.hasNcu) return false;
        if (!m_word.empty() && !contains('_' + t.name[row] + '_', m_word)) return false;
        if (m_filter.operatorClass && operatorClassOf(t.level[row], t.opName[row]) != *m_filter.operatorClass)
            return false;
        return contains(t.opName[row], m_op) && contains(t.name[row], m_name);
    }

private:
    const KernelTable& m_table;
    const KernelFilter& m_filter;
    std::string m_op;
    std::string m_name;
    std::string m_word; ///< between its '_'
};

double numberOf(const KernelTable& t, SortColumn column, std::size_t row) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case SortColumn::level: return t.level[row];
    case SortColumn::task: return t.level[row] * 1000.0 + t.task[row];
    case SortColumn::runtime: return t.runtime[row];
    case SortColumn::nativeRuntime: return t.nativeRuntime[row];
    case SortColumn::compileRuntime: return t.compileRuntime[row];
    case SortColumn::speedupNative: return t.speedupNative[row];
    case SortColumn::speedupCompile: return t.speedupCompile[row];
    case SortColumn::correct: return t.correct[row] == KernelTable::Correct::unknown ? missing : double(t.correct[row]);
    case SortColumn::maxDiff: return t.maxDiff[row];
    case SortColumn::codeBytes: return t.codeBytes[row];
    case SortColumn::errorKind: return double(t.errorKind[row]);
    case SortColumn::originalIndex:
        return t.originalIndex[row] == KernelTable::missingIndex ? missing : double(t.originalIndex[row]);
    default: return double(t.id[row]);
    }
}

void sortByNumber(const KernelTable& table, const TableSelection& selection, std::vector<std::uint32_t>& rows) {
    struct Key {
        double value;
        std::uint32_t row;
    };
    std::vector<Key> keys;
    keys.reserve(rows.size());
    for (const auto row : rows)
        keys.push_back({numberOf(table, selection.sort, row), row});
    const bool descending = selection.descending;
    std::sort(keys.begin(), keys.end(), [descending](const Key& a, const Key& b) {
        const bool aMissing = std::isnan(a.value), bMissing = std::isnan(b.value);
        if (aMissing != bMissing) return bMissing;
        if (!aMissing && a.value != b.value) return descending ? a.value > b.value : a.value < b.value;
        return a.row < b.row;
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = keys[i].row;
}

void sortByText(const std::vector<std::string>& texts, bool descending, std::vector<std::uint32_t>& rows) {
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int order = texts[a].compare(texts[b]);
        if (order != 0) return descending ? order > 0 : order < 0;
        return a < b;
    });
}

} // namespace

std::vector<std::uint32_t> selectRows(const KernelTable& table, const TableSelection& selection) {
    const Filter filter(table, selection);
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < table.size(); ++row)
        if (filter.accepts(row)) rows.push_back(std::uint32_t(row));
    if (selection.sort == SortColumn::id) { // as they are
        if (selection.descending) std::reverse(rows.begin(), rows.end());
    } else if (selection.sort == SortColumn::op)
        sortByText(table.opName, selection.descending, rows);
    else if (selection.sort == SortColumn::name)
        sortByText(table.name, selection.descending, rows);
    else
        sortByNumber(table, selection, rows);
    return rows;
}

} // namespace kernelarium::archive
