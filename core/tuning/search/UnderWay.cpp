// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/UnderWay.h"

#include "core/tuning/search/Ledger.h"

#include <utility>

namespace kernelarium::tuning {

void UnderWay::begin(const Candidate& candidate) {
    if (m_candidates.try_emplace(Ledger::nameOf(candidate.key, candidate.effort)).second) m_looks += candidate.effort;
}

bool UnderWay::join(const Candidate& candidate) {
    const auto at = m_candidates.find(Ledger::nameOf(candidate.key, candidate.effort));
    if (at == m_candidates.end()) return false;
    at->second.push_back(candidate);
    return true;
}

std::vector<Candidate> UnderWay::end(const Candidate& candidate) {
    auto ended = m_candidates.extract(Ledger::nameOf(candidate.key, candidate.effort));
    if (ended.empty()) return {};
    m_looks -= candidate.effort;
    return std::move(ended.mapped());
}

bool UnderWay::isFirst(const Candidate& candidate, const std::string& secondKey) {
    const auto [at, first] = m_seconds.try_emplace(Ledger::nameOf(secondKey, candidate.effort));
    if (!first) at->second.push_back({candidate, secondKey});
    return first;
}

std::vector<UnderWay::Waiter> UnderWay::endSecond(const std::string& secondKey, double effort) {
    if (secondKey.empty()) return {};
    auto ended = m_seconds.extract(Ledger::nameOf(secondKey, effort));
    return ended.empty() ? std::vector<Waiter>() : std::move(ended.mapped());
}

std::optional<Candidate> UnderWay::takeAgain() {
    if (m_again.empty()) return std::nullopt;
    Candidate candidate = std::move(m_again.front());
    m_again.pop_front();
    return candidate;
}

} // namespace kernelarium::tuning
