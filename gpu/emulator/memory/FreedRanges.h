// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace kernelarium::emulator {

/// A half-open range of offsets.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

/// Ranges that may be given out again, neighbours joined.
class FreedRanges {
public:
    /// The range must not overlap one that is here. Returns the joined range that holds it now.
    Range add(Range range);

    /// Room for an allocation: its bytes begin at `start`, a multiple of the alignment, with guard bands on both sides.
    struct Place {
        Range range; ///< all that is taken
        std::uint64_t start = 0;
    };
    /// The lowest place there is; the rest of its range stays here.
    [[nodiscard]] std::optional<Place> take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t guard);
    /// The place that an allocation would have at the beginning of a range, whose end is not looked at.
    [[nodiscard]] static Place placeFrom(std::uint64_t first, std::uint64_t bytes, std::uint64_t alignment,
                                         std::uint64_t guard);

private:
    std::map<std::uint64_t, std::uint64_t> m_ranges; ///< first to end
};

} // namespace kernelarium::emulator
