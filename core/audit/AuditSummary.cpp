// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/AuditSummary.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

namespace {

double ratio(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? double(part) / double(whole) : std::numeric_limits<double>::quiet_NaN();
}

void countClaim(ClaimCount& count, const Candidate& candidate, const StoredVerdict* verdict) {
    if (!candidate.claimedCorrect.value_or(false)) return;
    ++count.claimed;
    if (!verdict) return;
    ++count.tried;
    switch (bearingOf(verdict->verdict)) {
    case Bearing::upholds: ++count.standing; break;
    case Bearing::refutes: ++count.refuted; break;
    case Bearing::undecided: ++count.undecided; break;
    }
}

nlohmann::json shareJson(double share) {
    return std::isnan(share) ? nlohmann::json(nullptr) : nlohmann::json(share);
}

nlohmann::json claimsJson(const ClaimCount& c) {
    return {{"archived_correct", c.claimed},
            {"tried", c.tried},
            {"standing", c.standing},
            {"refuted", c.refuted},
            {"undecided", c.undecided},
            {"share_standing", shareJson(c.shareStanding())},
            {"share_of_decided", shareJson(c.shareOfDecided())}};
}

} // namespace

double ClaimCount::shareStanding() const {
    return ratio(standing, tried);
}
double ClaimCount::shareOfDecided() const {
    return ratio(standing, standing + refuted);
}

Bearing bearingOf(std::string_view verdict) {
    using verify::VerdictKind;
    const auto kind = verify::parseVerdictKind(verdict);
    if (!kind) return Bearing::undecided; // failed
    switch (*kind) {
    case VerdictKind::verified: return Bearing::upholds;
    case VerdictKind::compile_error:
    case VerdictKind::launch_error:
    case VerdictKind::wrong:
    case VerdictKind::fault:
    case VerdictKind::suspicious: return Bearing::refutes;
    case VerdictKind::unsupported:
    case VerdictKind::timeout:
    case VerdictKind::unverifiable: break;
    }
    return Bearing::undecided;
}

AuditSummary summarise(const std::vector<Candidate>& selected, const VerdictIndex& verdicts, const Settings& settings,
                       TodaysVersions& today) {
    AuditSummary summary;
    std::map<int, LevelSummary> levels;
    for (const Candidate& candidate : selected) {
        const auto found = verdicts.find(candidate.key);
        const StoredVerdict* verdict = found == verdicts.end() ? nullptr : &found->second;
        LevelSummary& level = levels[candidate.key.level];
        ++summary.kernels;
        ++level.kernels;
        countClaim(summary.claims, candidate, verdict);
        countClaim(level.claims, candidate, verdict);
        if (!verdict) continue;
        ++summary.tried;
        ++level.tried;
        ++summary.verdicts[verdict->verdict];
        ++level.verdicts[verdict->verdict];
        ++summary.claimByVerdict[std::string(claimWord(candidate))][verdict->verdict];
        for (const std::string& reason : verdict->reasons)
            ++summary.reasons[reason];
        for (const std::string& remark : verdict->remarks)
            ++summary.remarks[remark];
        const Versions& versions = today.of(candidate.key.level, candidate.key.task);
        if (standingOf(*verdict, versions, settings) == Standing::stale) ++summary.stale;
    }
    for (auto& [number, level] : levels) {
        level.level = number;
        summary.levels.push_back(std::move(level));
    }
    return summary;
}

nlohmann::json toJson(const AuditSummary& s) {
    nlohmann::json levels = nlohmann::json::array();
    for (const LevelSummary& level : s.levels)
        levels.push_back({{"level", level.level},
                          {"kernels", level.kernels},
                          {"tried", level.tried},
                          {"verdicts", level.verdicts},
                          {"claims", claimsJson(level.claims)}});
    return {{"kernels", s.kernels},
            {"tried", s.tried},
            {"stale", s.stale},
            {"verdicts", s.verdicts},
            {"reasons", s.reasons},
            {"remarks", s.remarks},
            {"claim_by_verdict", s.claimByVerdict},
            {"claims", claimsJson(s.claims)},
            {"levels", std::move(levels)}};
}

} // namespace kernelarium::audit
