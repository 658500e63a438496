// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/ProfileStatistics.h"

#include "core/archive/store/Statistics.h"
#include "core/numbers/Median.h"
#include "core/profile/ClangTidy.h"
#include "core/profile/NcuProfile.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace kernelarium::statistics {
namespace {

using archive::KernelTable;
using archive::TextKind;

bool isCompared(std::string_view metric) {
    for (const std::string_view name :
         {"Executed Ipc Active", "Issue Slots Busy", "SM Busy", "Memory Throughput", "Mem Busy", "Max Bandwidth",
          "L1/TEX Hit Rate", "L2 Hit Rate", "Achieved Occupancy"})
        if (metric == name) return true;
    return metric.find("Bank Conflict") != std::string_view::npos;
}

struct Compared {
    std::string unit;
    std::vector<double> fast;
    std::vector<double> slow;
    std::vector<std::uint32_t> fastRows;
    std::vector<std::uint32_t> slowRows;
};

struct ProfiledKernel {
    std::uint32_t row;
    double speedup;
    std::vector<std::pair<std::string, double>> values;
};

class ProfileGatherer {
public:
    void unreadable(std::uint32_t row) {
        ++m_result.unreadable;
        auto& rows = m_result.unreadableRows;
        if (rows.empty() || rows.back() != row) rows.push_back(row);
    }

    void tidy(const profile::ClangTidyReport& report, std::uint32_t row) {
        ++m_result.tidied;
        m_result.tidiedRows.push_back(row);
        m_warnings.push_back(double(report.warnings()));
        if (report.warnings() > 0) m_result.warnedRows.push_back(row);
        for (const auto& finding : report.findings) {
            if (finding.severity != "warning") continue;
            ++m_result.warningsByCheck[finding.check];
            auto& rows = m_result.rowsByCheck[finding.check];
            if (rows.empty() || rows.back() != row) rows.push_back(row);
        }
    }

    void ncu(const profile::NcuProfile& read, const KernelTable& table, std::uint32_t row) {
        ++m_result.profiled;
        m_result.profiledRows.push_back(row);
        std::set<std::string> rules;
        for (const auto& rule : read.rules)
            if (rule.type != "INF") rules.insert(rule.name);
        for (const auto& rule : rules) {
            ++m_result.rules[rule];
            m_result.rowsByRule[rule].push_back(row);
        }
        const bool comparable =
            table.correct[row] == KernelTable::Correct::yes && !std::isnan(table.speedupNative[row]);
        if (!comparable) return;
        auto& kernel = m_tasks[{table.level[row], table.task[row]}].emplace_back();
        kernel.row = row;
        kernel.speedup = table.speedupNative[row];
        for (const auto& metric : read.metrics) {
            if (!metric.value || !isCompared(metric.name)) continue;
            kernel.values.emplace_back(metric.name, *metric.value);
            m_compared[metric.name].unit = metric.unit;
        }
    }

    ProfileStatistics finish() {
        m_result.warnings = std::int64_t(std::accumulate(m_warnings.begin(), m_warnings.end(), 0.0));
        m_result.meanWarnings = double(m_result.warnings) / double(m_warnings.size()); // NaN without any
        m_result.medianWarnings = numbers::medianOf(m_warnings);
        for (const auto& [task, kernels] : m_tasks) {
            std::vector<double> speedups;
            for (const auto& kernel : kernels)
                speedups.push_back(kernel.speedup);
            const double middle = numbers::medianOf(speedups);
            for (const auto& kernel : kernels) {
                if (kernel.speedup == middle) continue;
                const bool fast = kernel.speedup > middle;
                for (const auto& [metric, value] : kernel.values) {
                    Compared& compared = m_compared[metric];
                    (fast ? compared.fast : compared.slow).push_back(value);
                    (fast ? compared.fastRows : compared.slowRows).push_back(kernel.row);
                }
            }
        }
        for (auto& [metric, compared] : m_compared)
            m_result.metrics.push_back({metric, compared.unit, std::int64_t(compared.fast.size()),
                                        std::int64_t(compared.slow.size()), numbers::medianOf(compared.fast),
                                        numbers::medianOf(compared.slow), std::move(compared.fastRows),
                                        std::move(compared.slowRows)});
        return m_result;
    }

private:
    ProfileStatistics m_result;
    std::vector<double> m_warnings;
    std::map<std::pair<int, int>, std::vector<ProfiledKernel>> m_tasks;
    std::map<std::string, Compared> m_compared;
};

/// Hands what a cell holds to everyone who is to count the kernel.
template <class Read, class Take>
void give(std::vector<ProfileGatherer*>& gatherers, std::uint32_t row, const Read& read, Take take) {
    for (auto* gatherer : gatherers)
        if (read)
            take(*gatherer, *read);
        else
            gatherer->unreadable(row);
}

} // namespace

Result<ProfilePair> profilePair(archive::Archive& archive, const KernelTable& table, Rows rows, Rows failing,
                                const ProfileOptions& options) {
    ProfileGatherer archived, standing;
    std::size_t done = 0;
    for (const auto row : rows) {
        if (options.stop.stop_requested()) return Error{"cancelled", "The statistics were cancelled."};
        std::vector<ProfileGatherer*> gatherers{&archived};
        if (!std::binary_search(failing.begin(), failing.end(), row)) gatherers.push_back(&standing);
        if (table.hasTidy[row] != 0) {
            auto cell = archive.text(table.id[row], TextKind::clangTidy);
            if (!cell) return cell.error();
            if (*cell)
                give(gatherers, row, profile::parseClangTidy(**cell),
                     [&](ProfileGatherer& gatherer, const auto& report) { gatherer.tidy(report, row); });
        }
        if (table.hasNcu[row] != 0) {
            auto cell = archive.text(table.id[row], TextKind::ncuProfile);
            if (!cell) return cell.error();
            if (*cell)
                give(gatherers, row, profile::parseNcuProfile(**cell),
                     [&](ProfileGatherer& gatherer, const auto& read) { gatherer.ncu(read, table, row); });
        }
        if (++done % 256 == 0 && options.progress) options.progress(done, rows.size());
    }
    return ProfilePair{archived.finish(), standing.finish()};
}

Result<ProfileStatistics> profileStatistics(archive::Archive& archive, const KernelTable& table, Rows rows,
                                            const ProfileOptions& options) {
    auto both = profilePair(archive, table, rows, {}, options);
    if (!both) return both.error();
    return std::move(both->archived);
}

} // namespace kernelarium::statistics
