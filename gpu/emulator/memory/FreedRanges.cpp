// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/FreedRanges.h"

#include <iterator>

namespace kernelarium::emulator {

Range FreedRanges::add(Range range) {
    auto after = m_ranges.lower_bound(range.first);
    if (after != m_ranges.begin()) {
        const auto before = std::prev(after);
        if (before->second == range.first) {
            range.first = before->first;
            m_ranges.erase(before);
        }
    }
    if (after != m_ranges.end() && after->first == range.end) {
        range.end = after->second;
        m_ranges.erase(after);
    }
    m_ranges.emplace(range.first, range.end);
    return range;
}

FreedRanges::Place FreedRanges::placeFrom(std::uint64_t first, std::uint64_t bytes, std::uint64_t alignment,
                                          std::uint64_t guard) {
    // Neighbours never touch, so that an access past the end is always seen.
    constexpr std::uint64_t between = 16;
    const auto roundUp = [](std::uint64_t value, std::uint64_t to) { return (value + to - 1) & ~(to - 1); };
    const std::uint64_t start = roundUp(first + guard, alignment);
    return {{first, roundUp(start + bytes + guard + between, between)}, start};
}

std::optional<FreedRanges::Place> FreedRanges::take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t guard) {
    for (auto at = m_ranges.begin(); at != m_ranges.end(); ++at) {
        const Place place = placeFrom(at->first, bytes, alignment, guard);
        if (place.range.end > at->second) continue;
        const std::uint64_t end = at->second;
        m_ranges.erase(at);
        if (place.range.end < end) m_ranges.emplace(place.range.end, end);
        return place;
    }
    return std::nullopt;
}

} // namespace kernelarium::emulator
