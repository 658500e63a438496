// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/AuditPlan.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kernelarium::audit {

Candidate candidateOf(const archive::KernelSummary& kernel) {
    return {kernel.id,
            {int(kernel.level), int(kernel.task), kernel.name, kernel.codeHash},
            kernel.correct,
            kernel.errorKind,
            kernel.runtime};
}

Candidate candidateOf(const archive::KernelTable& table, std::size_t row) {
    using Correct = archive::KernelTable::Correct;
    Candidate candidate{table.id[row],
                        {table.level[row], table.task[row], table.name[row], table.codeHash[row]},
                        std::nullopt,
                        table.errorKind[row]};
    if (!std::isnan(table.runtime[row])) candidate.claimedMilliseconds = table.runtime[row];
    if (table.correct[row] != Correct::unknown) candidate.claimedCorrect = table.correct[row] == Correct::yes;
    return candidate;
}

std::string_view claimWord(const Candidate& candidate) {
    if (candidate.claimedCorrect.value_or(false)) return "correct";
    if (candidate.claimedError != archive::ErrorKind::none) return archive::errorKindWord(candidate.claimedError);
    return candidate.claimedCorrect ? "incorrect" : "unknown";
}

bool Shard::has(const VerdictKey& key) const {
    if (count <= 1) return true;
    const files::Digest digest =
        files::sha256(fmt::format("{}/{}/{}@{}", key.level, key.task, key.name, files::toHex(key.codeHash)));
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i)
        number = number << 8 | digest[std::size_t(i)];
    return number % count == index - 1;
}

Result<Shard> parseShard(std::string_view text) {
    Shard shard;
    const auto number = [](std::string_view word, unsigned& out) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
        return error == std::errc{} && end == word.data() + word.size();
    };
    const std::size_t slash = text.find('/');
    constexpr unsigned mostShards = 100000;
    if (slash == std::string_view::npos || !number(text.substr(0, slash), shard.index) ||
        !number(text.substr(slash + 1), shard.count) || shard.index < 1 || shard.index > shard.count ||
        shard.count > mostShards)
        return Error{"bad_input", fmt::format("`{}` is not a shard.", text),
                     "Write I/N with I from 1 to N, as in 2/5."};
    return shard;
}

VerdictIndex indexOf(std::vector<StoredVerdict> verdicts) {
    VerdictIndex index;
    for (StoredVerdict& verdict : verdicts)
        index.insert_or_assign(verdict.key, std::move(verdict));
    return index;
}

AuditPlan planAudit(const std::vector<Candidate>& candidates, const VerdictIndex& known, const PlanOptions& options,
                    TodaysVersions& today) {
    AuditPlan plan;
    std::set<VerdictKey> seen;
    for (const Candidate& candidate : candidates) {
        if (!options.shard.has(candidate.key) || !seen.insert(candidate.key).second) continue;
        plan.selected.push_back(candidate);
        const auto found = known.find(candidate.key);
        bool due = true;
        if (found == known.end()) {
            ++plan.missing;
        } else {
            const Versions& versions = today.of(candidate.key.level, candidate.key.task);
            if (standingOf(found->second, versions, options.settings) == Standing::stale) {
                ++plan.stale;
            } else {
                ++plan.current;
                const bool gaveUp =
                    found->second.isFailure() || found->second.verdict == verify::name(verify::VerdictKind::timeout);
                due = options.again || (options.retryFailed && gaveUp);
            }
        }
        if (!due) continue;
        plan.due.push_back(candidate);
        if (found == known.end()) continue;
        const StoredVerdict& last = found->second;
        if (last.settings.size == options.settings.size && last.settings.backend == options.settings.backend)
            plan.due.back().lastSeconds = last.seconds;
    }
    return plan;
}

} // namespace kernelarium::audit
