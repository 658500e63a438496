// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/TableSelection.h"

#include "core/archive/search/ConditionOnRows.h"
#include "core/archive/search/RowFilter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace kernelarium::archive {

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

double sortIndexOf(const KernelTable& t, std::size_t row) {
    return t.originalIndex[row] == KernelTable::missingIndex ? noNumber : double(t.originalIndex[row]);
}

double verdictNumber(const OwnVerdict* verdict, SortColumn column) {
    if (verdict == nullptr) return noNumber;
    if (column == SortColumn::checks) return verdict->checks;
    if (column == SortColumn::verdictTime) return double(verdict->timeMs);
    return double(std::find(ownVerdictWords.begin(), ownVerdictWords.end(), verdict->verdict) -
                  ownVerdictWords.begin());
}

double numberOf(const KernelTable& t, const OwnVerdicts* verdicts, SortColumn column, std::size_t row) {
    switch (column) {
    case SortColumn::level: return t.level[row];
    case SortColumn::task: return t.level[row] * 1000.0 + t.task[row];
    case SortColumn::runtime: return t.runtime[row];
    case SortColumn::nativeRuntime: return t.nativeRuntime[row];
    case SortColumn::compileRuntime: return t.compileRuntime[row];
    case SortColumn::speedupNative: return t.speedupNative[row];
    case SortColumn::speedupCompile: return t.speedupCompile[row];
    case SortColumn::correct:
        return t.correct[row] == KernelTable::Correct::unknown ? noNumber : double(t.correct[row]);
    case SortColumn::maxDiff: return t.maxDiff[row];
    case SortColumn::codeBytes: return t.codeBytes[row];
    case SortColumn::errorKind: return double(t.errorKind[row]);
    case SortColumn::originalIndex: return sortIndexOf(t, row);
    case SortColumn::verdict:
    case SortColumn::checks:
    case SortColumn::verdictTime: return verdictNumber(verdicts ? verdicts->of(t, row) : nullptr, column);
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
        keys.push_back({numberOf(table, selection.verdicts.get(), selection.sort, row), row});
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

/// Kernels without a verdict, or without such words in it, come last in either direction.
void sortByWords(const KernelTable& table, const TableSelection& selection, std::vector<std::uint32_t>& rows) {
    std::vector<std::pair<std::string, std::uint32_t>> keys;
    for (const auto row : rows) {
        const OwnVerdict* verdict = selection.verdicts ? selection.verdicts->of(table, row) : nullptr;
        keys.emplace_back(verdict == nullptr                     ? ""
                          : selection.sort == SortColumn::reason ? verdict->reasonText()
                                                                 : verdict->remarkText(),
                          row);
    }
    const bool descending = selection.descending;
    std::sort(keys.begin(), keys.end(), [descending](const auto& a, const auto& b) {
        if (a.first.empty() != b.first.empty()) return b.first.empty();
        if (a.first != b.first) return descending ? a.first > b.first : a.first < b.first;
        return a.second < b.second;
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = keys[i].second;
}

} // namespace

std::vector<std::uint32_t> selectRows(const KernelTable& table, const TableSelection& selection) {
    const RowFilter filter(table, selection.filter);
    std::optional<ConditionOnRows> condition;
    if (selection.condition) condition.emplace(*selection.condition, table, selection.verdicts.get());
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < table.size(); ++row)
        if (filter.accepts(row) &&
            (!condition || condition->truth(row, [](std::size_t) { return Truth::maybe; }) != Truth::no))
            rows.push_back(std::uint32_t(row));
    if (selection.sort == SortColumn::id) { // as they are
        if (selection.descending) std::reverse(rows.begin(), rows.end());
    } else if (selection.sort == SortColumn::op)
        sortByText(table.opName, selection.descending, rows);
    else if (selection.sort == SortColumn::name)
        sortByText(table.name, selection.descending, rows);
    else if (selection.sort == SortColumn::reason || selection.sort == SortColumn::remark)
        sortByWords(table, selection, rows);
    else
        sortByNumber(table, selection, rows);
    return rows;
}

} // namespace kernelarium::archive
