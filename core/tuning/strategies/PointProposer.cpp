// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/PointProposer.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace kernelarium::tuning {

namespace {
std::string drawName(const std::string& key, double effort) {
    return effort >= 1 ? key : fmt::format("{}\n{}", key, effort);
}
} // namespace

PointProposer::PointProposer(const Space& space, std::unique_ptr<Strategy> strategy, const PointOptions& options)
    : m_space(space)
    , m_strategy(std::move(strategy))
    , m_options(options)
    , m_ground(space, m_strategy->dividesPoints() ? options.shard : Shard{}, options.horizon) {}

/// For each draw and each outcome its own, so that what came before it only counts by what it left.
void PointProposer::beginChance(std::uint64_t salt) {
    const std::uint64_t shard = m_strategy->dividesPoints() || m_options.shard.whole() ? 0 : m_options.shard.index;
    m_ground.random = Random(m_options.seed + shard * 0x9e3779b97f4a7c15U, 2 * (m_heard + m_underWay.size()) + salt);
}

std::optional<Draw> PointProposer::drawNew() {
    beginChance(0);
    auto draw = m_strategy->draw(m_ground);
    if (draw) m_ground.take(draw->point);
    return draw;
}

std::vector<Candidate> PointProposer::propose(std::size_t most) {
    m_proposed = true;
    std::vector<Candidate> candidates;
    while (candidates.size() < most) {
        auto draw = m_ahead ? std::exchange(m_ahead, std::nullopt) : drawNew();
        if (!draw) break;
        std::string key = m_space.key(draw->point);
        candidates.push_back({key, draw->effort});
        m_underWay.insert_or_assign(drawName(key, draw->effort), std::move(*draw));
    }
    return candidates;
}

void PointProposer::hear(const Candidate& candidate, const Outcome& outcome) {
    Heard heard;
    if (const auto at = m_underWay.find(drawName(candidate.key, candidate.effort)); at != m_underWay.end()) {
        heard.draw = std::move(at->second);
        m_underWay.erase(at);
    } else {
        auto point = m_space.pointOf(candidate.key);
        if (!point) return; // of another space: nothing of it can be drawn here
        if (!m_proposed && !m_ahead && !m_strategy->followsFromHistory()) m_ahead = drawNew();
        heard.draw = {std::move(*point), candidate.effort};
        if (m_ahead == heard.draw) m_ahead.reset();
    }
    beginChance(1);
    ++m_heard;
    heard.kind = outcome.kind;
    if (outcome.kind == Outcome::Kind::valued && outcome.value && std::isfinite(*outcome.value))
        heard.value = outcome.value;
    if (candidate.effort >= 1)
        m_ground.learn(heard.draw.point, heard.value);
    else
        m_ground.take(heard.draw.point);
    m_strategy->hear(heard, m_ground);
}

std::optional<std::uint64_t> PointProposer::total() const {
    return m_options.shard.whole() ? m_options.allowed : std::nullopt;
}

std::string PointProposer::note() const {
    std::string note;
    if (!m_options.shard.whole() && !m_strategy->dividesPoints())
        note = "Each shard searches on its own, with chance of its own; two may look at the same point.";
    if (m_ground.gaveUp())
        note += std::string(note.empty() ? "" : " ") +
                "The space is too large to list, and a long search found no further allowed point in it.";
    return note;
}

} // namespace kernelarium::tuning
