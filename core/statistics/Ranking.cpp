// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/Ranking.h"

#include "core/archive/store/CodeSignature.h"
#include "core/archive/store/Statistics.h"
#include "core/numbers/Median.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace kernelarium::statistics {
namespace {

using archive::KernelTable;
using TaskKey = std::pair<std::int64_t, std::int64_t>;

bool hasSpeedup(const KernelTable& table, std::uint32_t row, Baseline baseline = Baseline::native) {
    return table.correct[row] == KernelTable::Correct::yes && !std::isnan(speedupOver(table, row, baseline));
}

std::set<std::string> wordsOf(const std::string& name) {
    std::set<std::string> words;
    std::string word;
    const auto end = [&] {
        if (word.size() > 1 && word.find_first_not_of("0123456789") != std::string::npos) words.insert(word);
        word.clear();
    };
    for (const char c : name) {
        if (c == '_')
            end();
        else
            word += archive::foldedCase(c);
    }
    end();
    return words;
}

/// Takes "_edit_N" and "_base" off the end of a name.
LineageStep stepOf(std::uint32_t row, std::string name) {
    LineageStep step;
    step.row = row;
    if (const auto at = name.rfind("_edit_"); at != std::string::npos) {
        int number = 0;
        const char* end = name.data() + name.size();
        const auto read = std::from_chars(name.data() + at + 6, end, number);
        if (read.ec == std::errc() && read.ptr == end) {
            step.edit = number;
            name.erase(at);
        }
    }
    while (name.ends_with("_base") && name.size() > 5) {
        step.isBase = true;
        name.erase(name.size() - 5);
    }
    step.stem = std::move(name);
    return step;
}

struct WordGroup {
    std::vector<double> relative;
    std::vector<double> speedups;
    std::set<TaskKey> tasks;
};

} // namespace

std::vector<std::uint32_t> ranking(const KernelTable& table, Rows rows, std::int64_t level, std::int64_t task) {
    std::vector<std::uint32_t> ranked;
    for (const auto row : rows)
        if (table.level[row] == level && table.task[row] == task && hasSpeedup(table, row)) ranked.push_back(row);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return table.speedupNative[a] > table.speedupNative[b]; });
    return ranked;
}

std::vector<std::uint32_t> bestPerTask(const KernelTable& table, Rows rows, Baseline baseline) {
    std::map<TaskKey, std::uint32_t> best;
    for (const auto row : rows) {
        if (!hasSpeedup(table, row, baseline)) continue;
        const auto [entry, isNew] = best.try_emplace({table.level[row], table.task[row]}, row);
        if (!isNew && speedupOver(table, row, baseline) > speedupOver(table, entry->second, baseline))
            entry->second = row;
    }
    std::vector<std::uint32_t> list;
    for (const auto& [key, row] : best)
        list.push_back(row);
    return list;
}

std::vector<NameWord> nameWords(const KernelTable& table, Rows rows, std::int64_t fewest) {
    std::map<TaskKey, std::vector<double>> speedups;
    for (const auto row : rows)
        if (hasSpeedup(table, row)) speedups[{table.level[row], table.task[row]}].push_back(table.speedupNative[row]);
    std::map<TaskKey, double> medians;
    for (auto& [key, values] : speedups)
        medians[key] = numbers::medianOf(values);

    std::map<std::string, WordGroup> groups;
    for (const auto row : rows) {
        if (!hasSpeedup(table, row)) continue;
        const TaskKey key{table.level[row], table.task[row]};
        if (!(medians[key] > 0)) continue;
        for (const auto& word : wordsOf(table.name[row])) {
            auto& group = groups[word];
            group.relative.push_back(table.speedupNative[row] / medians[key]);
            group.speedups.push_back(table.speedupNative[row]);
            group.tasks.insert(key);
        }
    }
    std::vector<NameWord> words;
    for (auto& [word, group] : groups)
        if (std::int64_t(group.relative.size()) >= fewest)
            words.push_back({word, std::int64_t(group.relative.size()), std::int64_t(group.tasks.size()),
                             numbers::medianOf(group.relative), numbers::medianOf(group.speedups)});
    std::stable_sort(words.begin(), words.end(),
                     [](const NameWord& a, const NameWord& b) { return a.medianRelative > b.medianRelative; });
    return words;
}

std::vector<LineageStep> lineage(const KernelTable& table, Rows rows, std::int64_t level, std::int64_t task) {
    std::vector<std::uint32_t> ordered;
    for (const auto row : rows)
        if (table.level[row] == level && table.task[row] == task) ordered.push_back(row);
    const auto place = [&](std::uint32_t row) {
        const auto index = table.originalIndex[row];
        return index == KernelTable::missingIndex ? std::numeric_limits<std::int64_t>::max() : index;
    };
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    std::vector<LineageStep> steps;
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const auto row : ordered) {
        auto& step = steps.emplace_back(stepOf(row, table.name[row]));
        if (hasSpeedup(table, row) && !(table.speedupNative[row] <= best)) {
            best = table.speedupNative[row];
            step.isBest = true;
        }
        step.bestSoFar = best;
    }
    return steps;
}

} // namespace kernelarium::statistics
