// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Tiles.h"

#include <algorithm>

namespace kernelarium::kernelgen::convolution {

namespace {

constexpr std::int64_t rowBytes = 32 * 1024;    // of a block's values of all filters
constexpr std::int64_t sharedBytes = 16 * 1024; // of a block's weights
constexpr int mostTogether = 16;                // filters whose values are in registers together
constexpr std::int64_t mostValues = 64;         // of a cell, there

Across acrossOf(const Description& d, std::int64_t parts) {
    const Chain& chain = d.before.combinesFilters() ? d.before : d.last();
    if (!chain.combinesFilters()) return Across::none;
    const bool isLast = !d.before.combinesFilters() || d.pool == Pool::none;
    if (isLast && isStream(chain)) return Across::stream;
    const int together = d.filters <= 4 ? 4 : d.filters <= 8 ? 8 : mostTogether;
    if (d.filters <= mostTogether && parts * together <= mostValues) return Across::registers;
    return Across::rows;
}

} // namespace

Tiles tilesFor(const Description& d) {
    Tiles t;
    const std::int64_t parts = d.combined ? 1 : d.cellOutputs();
    t.across = acrossOf(d, parts);
    t.group = parts >= 16 ? 2 : parts >= 8 ? 4 : parts >= 2 ? 8 : 16;
    while (t.group > 4 && t.group / 2 >= d.filters / d.convolutionGroups)
        t.group /= 2;
    if (d.filters == d.convolutionGroups) t.group = 1; // a filter for each channel
    t.column = parts >= 16 ? 1 : parts >= 8 ? 3 : parts >= 4 ? 2 : 3;
    if (t.group == 1) t.column = 8;
    t.blocksPerSm = parts >= 8 ? 3 : 4;
    if (t.across == Across::stream && parts >= 8) t.column = 2; // the sums are in registers, too
    if (t.across == Across::stream && parts >= 8) t.blocksPerSm = 4;
    if (t.across == Across::registers) {
        t.group = d.filters <= 4 ? 4 : d.filters <= 8 ? 8 : mostTogether;
        // Stored values of 16 filters: beyond two cells ptxas spills.
        const std::int64_t most = d.space == Space::kept ? mostValues / 2 : mostValues;
        t.column = int(std::clamp<std::int64_t>(most / (parts * t.group), 1, 4));
    }
    if (d.isLine) t.column = 1;
    if (d.repeats() > 1) {
        t.column = int(d.axes[0].repeat);
        const std::int64_t plane = d.repeats() / d.axes[0].repeat;
        t.windows = int(std::max<std::int64_t>(1, 128 / plane));
        t.threads = int(t.windows * plane);
        t.blocksPerSm = 4;
        if (t.across != Across::registers)
            while (t.group > 2 && t.group * t.column * parts > 96)
                t.group /= 2;
    }
    if (t.across == Across::rows) { // a thread's values for all filters stay in shared memory
        const std::int64_t kept = d.pool == Pool::none ? parts : 1;
        const auto bytes = [&] {
            return 4 * t.column * kept * d.filters * t.threads + (t.constantWeights ? 0 : sharedBytes);
        };
        while (bytes() > rowBytes && t.column > 1)
            --t.column;
        while (bytes() > rowBytes && t.threads > 32)
            t.threads /= 2;
    }
    if (d.norm) t.mostWeights /= 2;                           // the statistics have as many
    const std::int64_t own = d.filters / d.convolutionGroups; // filters of a group of channels
    const std::int64_t filters = (own + t.group - 1) / t.group * t.group * d.convolutionGroups;
    t.constantWeights = t.group % 4 != 0 || filters * d.channels * windowOf(d) <= t.mostWeights;
    if (t.group % 4 != 0 && filters * d.channels * windowOf(d) > t.mostWeights) {
        t.group = 4;
        t.constantWeights = false;
        t.column = 1;
    }
    t.channelsAtATime = int(std::clamp<std::int64_t>(sharedBytes / (windowOf(d) * t.group * 4), 1, d.channels));
    return t;
}

} // namespace kernelarium::kernelgen::convolution
