// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace kernelarium::emulator {

/// What somebody knows to have happened before: accesses of the warps of its block by their clocks, of other blocks by
/// the numbers of their releases (SyncTable).
struct Knowledge {
    static constexpr std::uint32_t warpLimit = 32;

    std::array<std::uint16_t, warpLimit> accesses{}; ///< each warp's below this
    /// What products of a warpgroup read, which is on record as an access of the warp that waited for them first: the
    /// others have seen the end of these reads and nothing else that this warp did.
    std::array<std::uint16_t, warpLimit> products{};
    std::uint64_t acquired = 0; ///< releases of other blocks up to this number
    std::uint64_t returned = 0; ///< releases of the own block up to this number, which another block has handed on

    void join(const Knowledge& o) {
        for (std::uint32_t k = 0; k < warpLimit; ++k) {
            accesses[k] = std::max(accesses[k], o.accesses[k]);
            products[k] = std::max(products[k], o.products[k]);
        }
        acquired = std::max(acquired, o.acquired);
        returned = std::max(returned, o.returned);
    }
    /// Whether the other one knows all of it.
    [[nodiscard]] bool isWithin(const Knowledge& o) const {
        bool within = acquired <= o.acquired && returned <= o.returned;
        for (std::uint32_t k = 0; k < warpLimit; ++k)
            within &= accesses[k] <= o.accesses[k] && products[k] <= o.products[k];
        return within;
    }
};

} // namespace kernelarium::emulator
