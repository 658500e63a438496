// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/Statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kernelarium::archive {
namespace {

using TaskKey = std::pair<std::int64_t, std::int64_t>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double median(std::vector<double>& values) {
    if (values.empty()) return missing;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double shareOver(const std::vector<double>& values, double bound) {
    if (values.empty()) return missing;
    const auto over =
        std::count_if(values.begin(), values.end(), [&](double value) { return value > bound; });
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
            return;
        case KernelTable::Correct::unknown:
            ++m_statistics.unknown;
            return;
        case KernelTable::Correct::yes:
            break;
        }
        ++m_statistics.correct;
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
        result.tasksWithCorrect = std::int64_t(m_correctTasks.size());
        result.tasksFasterThanNative = std::int64_t(m_fasterTasks.size());
        result.speedupsNative = std::int64_t(m_native.size());
        result.speedupsCompile = std::int64_t(m_compile.size());
        result.shareFasterThanNative = shareOver(m_native, 1);
        result.shareFasterThanCompile = shareOver(m_compile, 1);
        result.shareOverTwiceNative = shareOver(m_native, 2);
        if (!m_native.empty()) result.bestSpeedupNative = *std::max_element(m_native.begin(), m_native.end());
        result.medianSpeedupNative = median(m_native);
        result.medianSpeedupCompile = median(m_compile);
        result.medianRuntime = median(m_runtimes);
        return result;
    }

private:
    static void take(std::vector<double>& values, double value) {
        if (!std::isnan(value)) values.push_back(value);
    }

    GroupStatistics m_statistics;
    std::set<TaskKey> m_tasks, m_correctTasks, m_fasterTasks;
    std::vector<double> m_native, m_compile, m_runtimes;
};

} // namespace

ArchiveStatistics computeStatistics(const KernelTable& table) {
    Group all;
    std::map<std::int64_t, Group> levels;
    std::map<TaskKey, Group> tasks;
    for (std::size_t row = 0; row < table.size(); ++row) {
        all.add(table, row);
        levels[table.level[row]].add(table, row);
        tasks[{table.level[row], table.task[row]}].add(table, row);
    }
    ArchiveStatistics statistics;
    statistics.all = all.finish(0, 0);
    for (auto& [level, group] : levels)
        statistics.levels.push_back(group.finish(level, 0));
    for (auto& [key, group] : tasks)
        statistics.tasks.push_back(group.finish(key.first, key.second));
    return statistics;
}

} // namespace kernelarium::archive
