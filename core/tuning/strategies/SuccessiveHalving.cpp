// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/SuccessiveHalving.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::tuning {

namespace {
constexpr std::size_t eta = 4;
}

SuccessiveHalving::SuccessiveHalving(std::vector<double> efforts, std::vector<Point> first)
    : m_first(std::move(first)) {
    for (const double effort : efforts)
        m_rungs.push_back({effort, {}, {}});
}

/// The highest rung first: what is nearest to a full look.
std::optional<Draw> SuccessiveHalving::promoted(bool lastOnes) {
    for (std::size_t i = m_rungs.size() - 1; i-- > 0;) {
        const Rung& rung = m_rungs[i];
        Rung& above = m_rungs[i + 1];
        const std::size_t best = lastOnes ? rung.results.size() : rung.results.size() / eta;
        for (std::size_t k = 0; k < best; ++k) {
            const Point& point = rung.results[k].point;
            if (above.entered.insert(point).second) return Draw{point, above.effort};
        }
    }
    return std::nullopt;
}

std::optional<Draw> SuccessiveHalving::draw(Ground& ground) {
    if (auto up = promoted(false)) return up;
    std::optional<Point> point;
    while (!point && m_nextFirst < m_first.size())
        if (ground.serves(m_first[m_nextFirst++])) point = m_first[m_nextFirst - 1];
    if (!point) point = m_balance.draw(ground);
    if (!point) return promoted(true); // the space is used up below: everybody goes up, the best first
    m_rungs.front().entered.insert(*point);
    return Draw{std::move(*point), m_rungs.front().effort};
}

void SuccessiveHalving::hear(const Heard& heard, Ground& ground) {
    m_balance.hear(heard.draw.point, ground);
    // One of an effort that is not among ours counts for the next below it: it was a closer look than that asks for.
    auto rung = std::find_if(m_rungs.rbegin(), m_rungs.rend(),
                             [&](const Rung& r) { return r.effort <= heard.draw.effort * (1 + 1e-9); });
    if (rung == m_rungs.rend()) return;
    for (auto below = rung; below != m_rungs.rend(); ++below)
        below->entered.insert(heard.draw.point);
    if (!heard.value) return;
    auto& results = rung->results;
    const auto at = std::upper_bound(results.begin(), results.end(), *heard.value,
                                     [](double value, const Result& result) { return value < result.value; });
    results.insert(at, {*heard.value, heard.draw.point});
}

} // namespace kernelarium::tuning
