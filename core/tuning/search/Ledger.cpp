// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Ledger.h"

#include <fmt/format.h>

namespace kernelarium::tuning {

std::string Ledger::nameOf(const std::string& key, double effort) {
    return effort >= 1 ? key : fmt::format("{}\n{}", key, effort);
}

const Outcome* Ledger::find(const Candidate& candidate) const {
    const auto at = m_known.find(nameOf(candidate.key, candidate.effort));
    return at == m_known.end() ? nullptr : &at->second;
}

const std::string* Ledger::findSecond(const std::string& secondKey, double effort) const {
    const auto at = m_bySecond.find(nameOf(secondKey, effort));
    return at == m_bySecond.end() ? nullptr : &at->second;
}

bool Ledger::enter(const Judged& judged, bool ofEarlierRun) {
    const auto [at, isNew] = m_known.try_emplace(nameOf(judged.candidate.key, judged.candidate.effort), judged.outcome);
    if (!isNew) {
        if (at->second.kind != Outcome::Kind::failed || judged.outcome.kind == Outcome::Kind::failed) return false;
        --m_sums.byKind[std::size_t(Outcome::Kind::failed)];
        at->second = judged.outcome;
    }
    at->second.details = {}; // the account is the keeper's; a million of them would not fit
    // A failure says nothing of the text, so its twins have a look of their own.
    if (!judged.secondKey.empty() && judged.looked() && judged.outcome.kind != Outcome::Kind::failed)
        m_bySecond.try_emplace(nameOf(judged.secondKey, judged.candidate.effort), judged.candidate.key);

    ++m_sums.byKind[std::size_t(judged.outcome.kind)];
    m_sums.filtered += judged.filtered ? 1 : 0;
    m_sums.twins += judged.sameAs.empty() ? 0 : 1;
    m_sums.resumed += ofEarlierRun ? 1 : 0;
    if (judged.looked()) {
        m_sums.spent += judged.candidate.effort;
        if (!ofEarlierRun) m_spentNow += judged.candidate.effort;
    }
    if (judged.leads() && (!m_sums.best || judged.isBetterThan(*m_sums.best))) m_sums.best = judged;
    return true;
}

} // namespace kernelarium::tuning
