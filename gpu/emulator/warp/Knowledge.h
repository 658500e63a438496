// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// What somebody knows to have happened before: accesses of the warps of its block, and of the other blocks of its
/// cluster, by their clocks; of blocks outside by the numbers of their releases (SyncTable).
struct Knowledge {
    static constexpr std::uint32_t warpLimit = 32;
    using Clocks = std::array<std::uint16_t, warpLimit>;

    /// Of one block.
    struct Part {
        Clocks accesses{}; ///< each warp's below this
        /// What products of a warpgroup read, which is on record as an access of the warp that waited for them first:
        /// the others have seen the end of these reads and nothing else that this warp did.
        Clocks products{};

        void join(const Part& o) {
            for (std::uint32_t k = 0; k < warpLimit; ++k) {
                accesses[k] = std::max(accesses[k], o.accesses[k]);
                products[k] = std::max(products[k], o.products[k]);
            }
        }
        [[nodiscard]] bool isWithin(const Part& o) const {
            bool within = true;
            for (std::uint32_t k = 0; k < warpLimit; ++k)
                within &= accesses[k] <= o.accesses[k] && products[k] <= o.products[k];
            return within;
        }
    };

    Part own;                   ///< of its block
    std::vector<Part> mates;    ///< of the blocks of its cluster, by rank; empty: of none
    std::uint64_t acquired = 0; ///< releases from outside the block, or its cluster, up to this number
    std::uint64_t returned = 0; ///< releases from inside up to this number, which somebody outside has handed on

    void join(const Knowledge& o) {
        own.join(o.own);
        acquired = std::max(acquired, o.acquired);
        returned = std::max(returned, o.returned);
        if (mates.size() < o.mates.size()) mates.resize(o.mates.size());
        for (std::size_t k = 0; k < o.mates.size(); ++k)
            mates[k].join(o.mates[k]);
    }
    /// Whether the other one knows all of it.
    [[nodiscard]] bool isWithin(const Knowledge& o) const {
        if (acquired > o.acquired || returned > o.returned || !own.isWithin(o.own)) return false;
        for (std::size_t k = 0; k < mates.size(); ++k)
            if (!mates[k].isWithin(k < o.mates.size() ? o.mates[k] : Part{})) return false;
        return true;
    }
};

} // namespace kernelarium::emulator
