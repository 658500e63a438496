// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Tiles.h"

#include <algorithm>

namespace kernelarium::kernelgen::convolution {

namespace {

constexpr std::int64_t rowBytes = 32 * 1024;    // of a block's values of all filters
constexpr std::int64_t sharedBytes = 16 * 1024; // of a block's weights

} // namespace

Tiles tilesFor(const Description& d) {
    Tiles t;
    const std::int64_t parts = d.combined ? 1 : d.cellOutputs();
    t.group = parts >= 8 ? 4 : parts >= 2 ? 8 : 16;
    while (t.group > 4 && t.group / 2 >= d.filters)
        t.group /= 2;
    t.column = parts >= 8 ? 3 : parts >= 4 ? 2 : 3;
    t.blocksPerSm = parts >= 8 ? 3 : 4;
    if (d.last().combinesFilters()) { // a thread's values for all filters stay in shared memory
        const std::int64_t kept = d.pool == Pool::none ? parts : 1;
        const auto bytes = [&] {
            return 4 * t.column * kept * d.filters * t.threads + (t.constantWeights ? 0 : sharedBytes);
        };
        while (bytes() > rowBytes && t.column > 1)
            --t.column;
        while (bytes() > rowBytes && t.threads > 32)
            t.threads /= 2;
    }
    if (d.norm) t.mostWeights /= 2; // the statistics have as many
    const std::int64_t filters = (d.filters + t.group - 1) / t.group * t.group;
    t.constantWeights = filters * d.channels * windowOf(d) <= t.mostWeights;
    t.channelsAtATime = int(std::clamp<std::int64_t>(sharedBytes / (windowOf(d) * t.group * 4), 1, d.channels));
    return t;
}

} // namespace kernelarium::kernelgen::convolution
