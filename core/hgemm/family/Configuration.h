// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::hgemm {

/// How B lies in memory: as [k, n], or each of its columns side by side, as [n, k].
enum class Layout { nn, tn };
enum class Engine {
    mma,  ///< mma.sync and cp.async: Ampere and later
    wgmma ///< warpgroups and bulk tensor copies: Hopper
};

/// One kernel of our family: C[m, n] = A[m, k] B in half precision, A and C row by row. Everything that its text
/// depends on; the shape comes with a launch.
struct Configuration {
    Engine engine = Engine::mma;
    Layout layout = Layout::tn;
    bool halfSums = false; ///< sums in float16; else in float32
    int tileRows = 64;     ///< of the left operand: of A; of B where the operands are swapped
    int tileColumns = 64;
    int depth = 64; ///< elements of k in a stage; 64 of wgmma
    int stages = 3;
    int splits = 1;               ///< of k, added up in their order
    bool splitsInCluster = false; ///< by the blocks of a cluster; else by the block of a tile that comes last
    int rasterGroup = 8;          ///< tiles that neighbouring blocks span before they move on ...
    bool rasterAlongRows = false; ///< ... along the rows; else along the columns
    // of mma
    int warpsOfRows = 2, warpsOfColumns = 2;
    int warpsOfDepth = 1; ///< that share a stage's k; their sums are added up in their order
    // of wgmma
    int consumers = 1;                       ///< warpgroups that multiply
    bool pingPong = false;                   ///< each has a tile of its own, and one multiplies while the other stores
    int clusterRows = 1, clusterColumns = 1; ///< blocks that bring tiles to one another
    bool swapped = false;                    ///< the transpose of C is computed: B is the left operand
    bool persistent = false;                 ///< as many blocks as there is room for, each with many tiles
    bool storesBoxes = false;                ///< C goes through shared memory in boxes; else from registers

    auto operator<=>(const Configuration&) const = default;

    [[nodiscard]] bool xKInner() const {
        return !swapped || layout == Layout::tn;
    } ///< k along the left operand's lines
    [[nodiscard]] bool yKInner() const { return swapped || layout == Layout::tn; }
    [[nodiscard]] int clusterSize() const { return splitsInCluster ? splits : clusterRows * clusterColumns; }
    [[nodiscard]] int threads() const;
    [[nodiscard]] int sharedBytes() const;
    /// Resident on a multiprocessor: what the compiler is told, by shared memory, threads and the registers of the
    /// sums.
    [[nodiscard]] int blocksPerMultiprocessor() const;
    /// "engine=wgmma layout=tn ROWS=128 ...", the canonical name: one line, as points of a tuning space have it.
    [[nodiscard]] std::string key() const;
    /// "wgmma 128x256x64, 4 stages, cluster 2x1, split 4": for people.
    [[nodiscard]] std::string title() const;
};

/// The configuration of that name; empty where it is none.
[[nodiscard]] std::optional<Configuration> configurationOf(std::string_view key);

/// Tiles of which splits by last arriver are counted, at most.
inline constexpr std::int64_t mostCountedTiles = 65536;

/// Why no product of this shape is computed at all, a sentence: an extent below 1 or beyond 2^30, or a matrix of more
/// than 2^40 elements, which no GPU holds. Empty where it may be.
[[nodiscard]] std::string refusal(const Shape& shape);
/// Why no kernel of the family takes it, where libraries may, likewise.
[[nodiscard]] std::string familyRefusal(const Shape& shape);

/// Why there is no such kernel, a sentence; empty where there is. Bounds of shared memory and registers are those of
/// the H100 and H200.
[[nodiscard]] std::string refusal(const Configuration& configuration);
/// Why it cannot compute this shape, likewise.
[[nodiscard]] std::string refusal(const Configuration& configuration, const Shape& shape);

} // namespace kernelarium::hgemm
