// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Exhaustive.h"

namespace kernelarium::tuning {

namespace {
/// The next point in the order of the numbers, also of a space that has no number for it. False behind the last.
bool advance(Point& point, const Space& space) {
    for (std::size_t i = point.at.size(); i-- > 0;) {
        if (++point.at[i] < space.parameters()[i].values.size()) return true;
        point.at[i] = 0;
    }
    return false;
}
} // namespace

std::optional<Draw> Exhaustive::draw(Ground& ground) {
    if (!m_begun) m_next.at.assign(ground.space().parameters().size(), 0);
    m_begun = true;
    for (std::uint64_t forbidden = 0; !m_ended && forbidden < mostForbidden;) {
        const Point point = m_next;
        m_ended = !advance(m_next, ground.space());
        if (!ground.isFree(point)) continue;
        if (ground.space().forbids(point) == nullptr) return Draw{point};
        ++forbidden;
    }
    if (!m_ended) ground.giveUp();
    m_ended = true;
    return std::nullopt;
}

} // namespace kernelarium::tuning
