// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/Statistics.h"

#include "core/numbers/Median.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace kernelarium::archive {
namespace {

using TaskKey = std::pair<std::int64_t, std::int64_t>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double shareOver(const std::vector<double>& values, double bound) {
    if (values.empty()) return missing;
    const auto over = std::count_if(values.begin(), values.end(), [&](double value) { return value > bound; });
    return double(over) / double(values.size());
}

/// Gathers the rows of one group.
class Group {
public:
    void add(const KernelTable& table, std::size_t row) {
        const TaskKey task = {table.level[row], table.task[row]};
        ++m_statistics.rows;
        m_statistics.withError += table.hasError[row];
        m_tasks.insert(task);
        switch (table.correct[row]) {
        case KernelTable::Correct::no:
            ++m_statistics.incorrect;
            m_claimedTasks.insert(task);
            return;
        case KernelTable::Correct::unknown: ++m_statistics.unknown; return;
        case KernelTable::Correct::yes: break;
        }
        ++m_statistics.correct;
        m_claimedTasks.insert(task);
        m_correctTasks.insert(task);
        take(m_native, table.speedupNative[row]);
        take(m_compile, table.speedupCompile[row]);
        take(m_runtimes, table.runtime[row]);
        if (table.speedupNative[row] > 1) m_fasterTasks.insert(task);
    }

    GroupStatistics finish(std::int64_t level, std::int64_t task) {
        auto result = m_statistics;
        result.level = level;
        result.task = task;
        result.tasks = std::int64_t(m_tasks.size());
        result.tasksClaimed = std::int64_t(m_claimedTasks.size());
        result.tasksWithCorrect = std::int64_t(m_correctTasks.size());
        result.tasksFasterThanNative = std::int64_t(m_fasterTasks.size());
        result.speedupsNative = std::int64_t(m_native.size());
        result.speedupsCompile = std::int64_t(m_compile.size());
        result.shareFasterThanNative = shareOver(m_native, 1);
        result.shareFasterThanCompile = shareOver(m_compile, 1);
        result.shareOverTwiceNative = shareOver(m_native, 2);
        result.shareOverTwiceCompile = shareOver(m_compile, 2);
        if (!m_native.empty()) result.bestSpeedupNative = *std::max_element(m_native.begin(), m_native.end());
        result.medianSpeedupNative = numbers::medianOf(m_native);
        result.medianSpeedupCompile = numbers::medianOf(m_compile);
        result.medianRuntime = numbers::medianOf(m_runtimes);
        return result;
    }

private:
    static void take(std::vector<double>& values, double value) {
        if (!std::isnan(value)) values.push_back(value);
    }

    GroupStatistics m_statistics;
    std::set<TaskKey> m_tasks, m_claimedTasks, m_correctTasks, m_fasterTasks;
    std::vector<double> m_native, m_compile, m_runtimes;
};

} // namespace

std::vector<std::uint32_t> everyRow(const KernelTable& table) {
    std::vector<std::uint32_t> rows(table.size());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

ArchiveStatistics computeStatistics(const KernelTable& table) {
    return computeStatistics(table, everyRow(table));
}

ArchiveStatistics computeStatistics(const KernelTable& table, std::span<const std::uint32_t> rows) {
    Group all;
    std::map<std::int64_t, Group> levels;
    std::map<TaskKey, Group> tasks;
    std::map<OperatorClass, Group> classes;
    for (const auto row : rows) {
        all.add(table, row);
        levels[table.level[row]].add(table, row);
        tasks[{table.level[row], table.task[row]}].add(table, row);
        classes[operatorClassOf(table.level[row], table.opName[row])].add(table, row);
    }
    ArchiveStatistics statistics;
    statistics.all = all.finish(0, 0);
    for (auto& [level, group] : levels)
        statistics.levels.push_back(group.finish(level, 0));
    for (auto& [key, group] : tasks)
        statistics.tasks.push_back(group.finish(key.first, key.second));
    for (auto& [operatorClass, group] : classes)
        statistics.classes.emplace_back(group.finish(0, 0)).operatorClass = operatorClass;
    return statistics;
}

std::vector<std::uint32_t> rowsBehind(const KernelTable& table, std::span<const std::uint32_t> rows,
                                      const GroupStatistics& group, Figure figure) {
    const auto belongs = [&](std::uint32_t row) {
        return (group.level == 0 || table.level[row] == group.level) &&
               (group.task == 0 || table.task[row] == group.task) &&
               (!group.operatorClass || operatorClassOf(table.level[row], table.opName[row]) == *group.operatorClass);
    };
    const auto counts = [&](std::uint32_t row) {
        const bool correct = table.correct[row] == KernelTable::Correct::yes;
        switch (figure) {
        case Figure::rows: return true;
        case Figure::correct: return correct;
        case Figure::incorrect: return table.correct[row] == KernelTable::Correct::no;
        case Figure::unknown: return table.correct[row] == KernelTable::Correct::unknown;
        case Figure::withError: return table.hasError[row] != 0;
        case Figure::fasterThanNative: return correct && table.speedupNative[row] > 1;
        case Figure::fasterThanCompile: return correct && table.speedupCompile[row] > 1;
        case Figure::overTwiceNative: return correct && table.speedupNative[row] > 2;
        case Figure::overTwiceCompile: return correct && table.speedupCompile[row] > 2;
        }
        return false;
    };
    std::vector<std::uint32_t> chosen;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
                 [&](std::uint32_t row) { return belongs(row) && counts(row); });
    return chosen;
}

} // namespace kernelarium::archive
