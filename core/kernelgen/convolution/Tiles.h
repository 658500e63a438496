// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/convolution/Description.h"

namespace kernelarium::kernelgen::convolution {

/// Where the values of all filters of a place meet, if they do.
enum class Across {
    none,
    stream,    ///< they are combined as they come, in registers
    registers, ///< all filters are one group, in registers
    rows,      ///< a thread's values wait in memory
};

/// What the tuner may change: where a kernel's time lies depends on these.
struct Tiles {
    int group = 4;               ///< filters that a thread makes at a time
    int column = 3;              ///< cells that a thread makes at a time, along the slowest axis
    int threads = 128;           ///< of a block
    int blocksPerSm = 3;         ///< that registers are kept for
    bool constantWeights = true; ///< all in constant memory, else a part after another in shared memory
    int mostWeights = 16000;     ///< that constant memory is taken for: 64 KB hold them
    int channelsAtATime = 1;     ///< of weights in shared memory: whose are there together
    Across across = Across::none;
    int windows = 0; ///< of a block, where a window has several cells
};
/// Tiles that fit the description's cells, from what was measured on an H200.
[[nodiscard]] Tiles tilesFor(const Description& d);

} // namespace kernelarium::kernelgen::convolution
