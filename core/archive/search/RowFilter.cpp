// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/RowFilter.h"

#include <algorithm>
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

double publishedIndexOf(const KernelTable& t, std::size_t row) {
    return t.originalIndex[row] == KernelTable::missingIndex ? std::numeric_limits<double>::quiet_NaN()
                                                             : double(t.originalIndex[row]);
}

} // namespace

RowFilter::RowFilter(const KernelTable& table, const KernelFilter& filter)
    : m_table(table)
    , m_filter(filter)
    , m_op(lowered(filter.op))
    , m_name(lowered(filter.name))
    , m_word(filter.nameWord.empty() ? std::string() : '_' + lowered(filter.nameWord) + '_') {}

bool RowFilter::accepts(std::size_t row) const {
    const KernelTable& t = m_table;
    if (m_filter.level && t.level[row] != *m_filter.level) return false;
    if (m_filter.task && t.task[row] != *m_filter.task) return false;
    if (m_filter.correct &&
        t.correct[row] != (*m_filter.correct ? KernelTable::Correct::yes : KernelTable::Correct::no))
        return false;
    if (!within(t.speedupNative[row], m_filter.minSpeedupNative, m_filter.maxSpeedupNative)) return false;
    if (!within(t.speedupCompile[row], m_filter.minSpeedupCompile, m_filter.maxSpeedupCompile)) return false;
    if (!within(t.runtime[row], m_filter.minRuntime, m_filter.maxRuntime)) return false;
    if (!within(t.nativeRuntime[row], m_filter.minNativeRuntime, m_filter.maxNativeRuntime)) return false;
    if (!within(t.compileRuntime[row], m_filter.minCompileRuntime, m_filter.maxCompileRuntime)) return false;
    if (!within(t.maxDiff[row], m_filter.minMaxDiff, m_filter.maxMaxDiff)) return false;
    if (!within(t.codeBytes[row], m_filter.minCodeBytes, m_filter.maxCodeBytes)) return false;
    if (!within(publishedIndexOf(t, row), m_filter.minIndex, m_filter.maxIndex)) return false;
    if (m_filter.hasError && bool(t.hasError[row]) != *m_filter.hasError) return false;
    if (m_filter.errorKind && t.errorKind[row] != *m_filter.errorKind) return false;
    if (m_filter.hasNcu && bool(t.hasNcu[row]) != *m_filter.hasNcu) return false;
    if (!m_word.empty() && !contains('_' + t.name[row] + '_', m_word)) return false;
    if (m_filter.operatorClass && operatorClassOf(t.level[row], t.opName[row]) != *m_filter.operatorClass) return false;
    return contains(t.opName[row], m_op) && contains(t.name[row], m_name);
}

} // namespace kernelarium::archive
