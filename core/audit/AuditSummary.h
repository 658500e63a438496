// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::audit {

/// How many of the kernels that the archive calls correct are so.
struct ClaimCount {
    std::int64_t claimed = 0;   ///< archived as correct
    std::int64_t tried = 0;     ///< of these, with a verdict of ours (stale ones too) or found impossible to judge
    std::int64_t standing = 0;  ///< verified
    std::int64_t refuted = 0;   ///< wrong, fault, suspicious, compile_error, launch_error
    std::int64_t undecided = 0; ///< unsupported, timeout, unverifiable, failed: neither

    /// Of those tried; NaN where none was.
    [[nodiscard]] double shareStanding() const;
    /// Of those that were decided; NaN where none was.
    [[nodiscard]] double shareOfDecided() const;
};

using Counts = std::map<std::string, std::int64_t, std::less<>>;

/// The verdicts on the kernels of a level.
struct LevelSummary {
    int level = 0;
    std::int64_t kernels = 0;
    std::int64_t tried = 0;
    Counts verdicts;
    ClaimCount claims;
};

/// What an audit found, over a selection of kernels.
struct AuditSummary {
    std::int64_t kernels = 0;
    std::int64_t tried = 0;
    std::int64_t stale = 0; ///< of those tried: under other versions or settings than today's
    Counts verdicts;
    Counts reasons;
    Counts remarks;
    std::map<std::string, Counts, std::less<>> claimByVerdict; ///< archive's claim, then our verdict
    ClaimCount claims;
    std::vector<LevelSummary> levels; ///< ascending
};

[[nodiscard]] AuditSummary summarise(const std::vector<Candidate>& selected, const VerdictIndex& verdicts,
                                     const Settings& settings, TodaysVersions& today);
[[nodiscard]] nlohmann::json toJson(const AuditSummary& summary);

/// Whether a verdict upholds what the archive calls correct, or denies it.
enum class Bearing { upholds, refutes, undecided };
[[nodiscard]] Bearing bearingOf(std::string_view verdict);

} // namespace kernelarium::audit
