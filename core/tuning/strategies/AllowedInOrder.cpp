// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/AllowedInOrder.h"

#include <algorithm>

namespace kernelarium::tuning {

AllowedInOrder::AllowedInOrder(const Space& space, std::optional<Random> random)
    : m_space(space)
    , m_random(random)
    , m_askedAt(space.parameters().size())
    , m_tried(space.parameters().size(), 0)
    , m_first(space.parameters().size(), 0)
    , m_values(space.parameters().size(), nullptr) {
    if (m_askedAt.empty()) return;
    for (const Space::Restriction& restriction : space.restrictions()) {
        std::size_t last = m_askedAt.size() - 1;
        if (restriction.reads) {
            last = 0;
            for (const std::size_t parameter : *restriction.reads)
                last = std::max(last, std::min(parameter, m_askedAt.size() - 1));
        }
        m_askedAt[last].push_back(&restriction);
    }
    enter();
}

void AllowedInOrder::enter() {
    m_tried[m_depth] = 0;
    if (m_random) m_first[m_depth] = std::uint32_t(m_random->below(m_space.parameters()[m_depth].values.size()));
}

/// Sets the parameter that is to be set; whether nothing that can be asked now forbids it.
bool AllowedInOrder::setAllowed() {
    const auto& values = m_space.parameters()[m_depth].values;
    m_values[m_depth] = &values[(m_first[m_depth] + m_tried[m_depth]) % values.size()];
    return std::all_of(m_askedAt[m_depth].begin(), m_askedAt[m_depth].end(),
                       [&](const Space::Restriction* restriction) { return restriction->allows(m_values); });
}

/// To the next value of the parameter before.
void AllowedInOrder::leave() {
    m_values[m_depth] = nullptr;
    if (m_depth == 0) {
        m_ended = true;
        return;
    }
    --m_depth;
    ++m_tried[m_depth];
}

std::optional<Point> AllowedInOrder::next(std::uint64_t& looks) {
    const std::size_t count = m_askedAt.size();
    if (count == 0 && !m_ended) { // the space of the text as it stands
        m_ended = true;
        if (m_space.forbids({}) == nullptr) return Point{};
    }
    while (!m_ended) {
        const auto values = std::uint32_t(m_space.parameters()[m_depth].values.size());
        if (m_tried[m_depth] >= values) {
            leave();
            continue;
        }
        if (looks == 0) return std::nullopt;
        --looks;
        if (!setAllowed()) {
            ++m_tried[m_depth];
        } else if (m_depth + 1 < count) {
            ++m_depth;
            enter();
        } else {
            Point point;
            for (std::size_t i = 0; i < count; ++i)
                point.at.push_back((m_first[i] + m_tried[i]) % std::uint32_t(m_space.parameters()[i].values.size()));
            ++m_tried[m_depth];
            return point;
        }
    }
    return std::nullopt;
}

} // namespace kernelarium::tuning
