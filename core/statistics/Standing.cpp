// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/Standing.h"

#include "core/archive/store/Statistics.h"
#include "core/audit/AuditSummary.h"

#include <map>

namespace kernelarium::statistics {

StandingRows standingRows(const archive::KernelTable& table, const std::vector<audit::StoredVerdict>& verdicts) {
    return standingRows(table, archive::everyRow(table), verdicts);
}

StandingRows standingRows(const archive::KernelTable& table, Rows rows,
                          const std::vector<audit::StoredVerdict>& verdicts) {
    std::map<audit::VerdictKey, const audit::StoredVerdict*> known;
    for (const auto& verdict : verdicts)
        known[verdict.key] = &verdict;
    StandingRows standing;
    for (const auto row : rows) {
        const auto found = known.find({table.level[row], table.task[row], table.name[row], table.codeHash[row]});
        if (found == known.end()) {
            standing.rows.push_back(row);
            continue;
        }
        standing.judged.push_back(row);
        const std::string& word = found->second->verdict;
        if (audit::bearingOf(word) != audit::Bearing::refutes) {
            standing.rows.push_back(row);
            continue;
        }
        standing.failing.push_back(row);
        if (table.correct[row] == archive::KernelTable::Correct::yes) standing.contradictions.push_back({row, word});
    }
    return standing;
}

} // namespace kernelarium::statistics
