// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/task/Card.h"

#include <string>

namespace kernelarium::kernelgen::convolution {

/// What the tuner may change: where a kernel's time lies depends on these.
struct Tiles {
    int group = 4;               ///< filters that a thread makes at a time
    int column = 3;              ///< cells that a thread makes at a time, along the slowest axis
    int threads = 128;           ///< of a block
    int blocksPerSm = 3;         ///< that registers are kept for
    bool prefetch = false;       ///< the next channel's inputs are loaded before this one's are multiplied
    bool constantWeights = true; ///< all in constant memory, else a part after another in shared memory
    int mostWeights = 16000;     ///< that constant memory is taken for: 64 KB hold them
    int channelsAtATime = 1;     ///< of weights in shared memory: whose are there together
};
/// Tiles that fit the description's cells, from what was measured on an H200.
[[nodiscard]] Tiles tilesFor(const Description& d);

/// The kernel file. Extents are those of the arguments when it is called; what the description fixes is checked there.
/// Error "unsupported": an argument of the call that has no form here.
[[nodiscard]] Result<std::string> kernelText(const Description& d, const Tiles& tiles, const task::Card& card);

} // namespace kernelarium::kernelgen::convolution
