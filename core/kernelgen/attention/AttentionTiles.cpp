// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionKernel.h"

namespace kernelarium::kernelgen::attention {

AttentionTiles attentionTilesFor(std::int64_t head, std::int64_t width) {
    constexpr std::int64_t most = 160 << 10; // bytes of shared memory: what a block of compute capability 8.0 may have
    AttentionTiles t;
    while (t.keyTile > 16 && 2 * t.keyWarps * t.keyTile * (head + width + 16) > most)
        t.keyTile /= 2;
    return t;
}

} // namespace kernelarium::kernelgen::attention
