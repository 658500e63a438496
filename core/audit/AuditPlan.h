// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/KernelTable.h"
#include "core/audit/StoredVerdict.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace kernelarium::audit {

/// A kernel of the open archive that may be audited, and what the archive claims of it.
struct Candidate {
    std::int64_t id = 0; ///< the row's number in this file
    VerdictKey key;
    std::optional<bool> claimedCorrect; ///< empty: the archive does not say
    archive::ErrorKind claimedError = archive::ErrorKind::none;
    std::optional<double> claimedMilliseconds = {}; ///< of one call at the published size
    std::optional<double> lastSeconds = {};         ///< of the last verdict's compilation and verification
};

[[nodiscard]] Candidate candidateOf(const archive::KernelSummary& kernel);
[[nodiscard]] Candidate candidateOf(const archive::KernelTable& table, std::size_t row);

/// The archive's claim in a word: "correct", "unknown", or where it failed (errorKindWord; "incorrect" where it does
/// not say how).
[[nodiscard]] std::string_view claimWord(const Candidate& candidate);

/// One of `count` parts of an audit, from 1. A kernel belongs to the same part on every machine and in every archive.
struct Shard {
    unsigned index = 1;
    unsigned count = 1;
    [[nodiscard]] bool has(const VerdictKey& key) const;
};
/// "2/5". Error "bad_input".
Result<Shard> parseShard(std::string_view text);

using VerdictIndex = std::map<VerdictKey, StoredVerdict>;
[[nodiscard]] VerdictIndex indexOf(std::vector<StoredVerdict> verdicts);

/// What of an archive is due, and under which settings.
struct PlanOptions {
    Settings settings;
    Shard shard;
    bool again = false; ///< also those that have a current verdict
    bool retryFailed =
        false; ///< also those that could not be judged last time, or did not end: a busy machine's doing, maybe
};

/// What an audit has to do.
struct AuditPlan {
    std::vector<Candidate> selected; ///< of the shard, in the candidates' order
    std::vector<Candidate> due;      ///< of these, what is to be judged now, in the same order
    std::int64_t current = 0;        ///< selected ones with an up-to-date verdict
    std::int64_t stale = 0;          ///< with one of other versions or settings
    std::int64_t missing = 0;        ///< without one
};

[[nodiscard]] AuditPlan planAudit(const std::vector<Candidate>& candidates, const VerdictIndex& known,
                                  const PlanOptions& options, TodaysVersions& today);

} // namespace kernelarium::audit
