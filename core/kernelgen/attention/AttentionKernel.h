// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"

#include <cstdint>
#include <set>

namespace kernelarium::kernelgen::attention {

/// How an attention is cut: a block makes 16 * rowWarps rows, and its keyWarps go through keyTile keys each at a time.
/// The keys are parted among so many blocks that the device has about one for each multiprocessor.
struct AttentionTiles {
    static constexpr int blocks = 132;
    int rowWarps = 2, keyWarps = 8, keyTile = 64;
};
/// For queries and values of these lengths, whose tiles have to fit into shared memory.
[[nodiscard]] AttentionTiles attentionTilesFor(std::int64_t head, std::int64_t width);

/// Writes the kernel of an attention of 16-bit elements by tensor cores: blocks go through a part of the keys with
/// running maxima and sums in float32, and the last block of some rows puts the parts together in their order. Refusal
/// of heads longer than a tile.
void addAttention(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen::attention
