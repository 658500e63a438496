// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/StoredVerdict.h"

#include "core/verify/VerdictJson.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

namespace {

/// Texts come from compilers and kernels: bytes that are not UTF-8 are replaced.
std::string dumped(const nlohmann::json& j) {
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

JudgedKernel judged(const VerdictKey& key, const verify::Verdict& verdict, const Settings& settings,
                    const Versions& versions) {
    return judged(key, verdict, dumped(verify::toJson(verdict)), settings, versions);
}

JudgedKernel judged(const VerdictKey& key, const verify::Verdict& verdict, std::string evidence,
                    const Settings& settings, const Versions& versions) {
    JudgedKernel result;
    StoredVerdict& row = result.verdict;
    row.key = key;
    row.verdict = verify::name(verdict.kind);
    row.stage = verdict.stage;
    row.message = verdict.message;
    row.reasons = verdict.reasons;
    row.remarks = verdict.remarks;
    row.maxAbsoluteError = verdict.maxAbsoluteError;
    row.maxRelativeError = verdict.maxRelativeError;
    row.backend = verdict.backend;
    row.settings = settings;
    row.versions = versions;
    result.evidence = std::move(evidence);
    return result;
}

JudgedKernel failed(const VerdictKey& key, const Error& error, const Settings& settings, const Versions& versions) {
    JudgedKernel result;
    result.verdict.key = key;
    result.verdict.verdict = failedWord;
    result.verdict.message = error.text();
    result.verdict.reasons = {error.code};
    result.verdict.backend = settings.backend;
    result.verdict.settings = settings;
    result.verdict.versions = versions;
    return result;
}

bool isOfToday(const StoredVerdict& verdict, const Versions& today) {
    return verdict.versions == today;
}

Standing standingOf(const StoredVerdict& verdict, const Versions& today, const Settings& settings) {
    const Settings& was = verdict.settings;
    const bool same = was.size == settings.size && was.seed == settings.seed && was.fastMath == settings.fastMath &&
                      was.backend == settings.backend;
    const bool cutShort =
        verdict.verdict == verify::name(verify::VerdictKind::timeout) && was.timeLimit < settings.timeLimit;
    return same && !cutShort && isOfToday(verdict, today) ? Standing::current : Standing::stale;
}

bool smallSizeOnly(const StoredVerdict& verdict) {
    if (verdict.verdict != verify::name(verify::VerdictKind::verified)) return false;
    const auto has = [&](std::string_view remark) {
        return std::find(verdict.remarks.begin(), verdict.remarks.end(), remark) != verdict.remarks.end();
    };
    if (verdict.settings.size == "both") return has("published_size_untried");
    return verdict.settings.size == "small" && !has("published_size_only");
}

archive::OwnVerdict ownVerdict(const StoredVerdict& verdict, TodaysVersions& today) {
    return {verdict.verdict,       verdict.reasons,
            verdict.remarks,       verdict.versions.checks,
            verdict.timeMs,        !isOfToday(verdict, today.of(verdict.key.level, verdict.key.task)),
            smallSizeOnly(verdict)};
}

std::shared_ptr<archive::OwnVerdicts> ownVerdicts(const std::vector<StoredVerdict>& verdicts) {
    auto all = std::make_shared<archive::OwnVerdicts>();
    TodaysVersions today;
    for (const StoredVerdict& verdict : verdicts)
        all->put(verdict.key.level, verdict.key.task, verdict.key.name, verdict.key.codeHash,
                 ownVerdict(verdict, today));
    return all;
}

std::int64_t nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace kernelarium::audit
