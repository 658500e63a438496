// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction is about to do, seen from outside: for those who watch it, not for those who execute it.
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/emulator/warp/Warp.h"

#include <algorithm>

namespace kernelarium::emulator {

/// Lanes of an operand.
template <class T> [[nodiscard]] const T* lanesOf(const Warp& w, Opd o) {
    return reinterpret_cast<const T*>(w.base[o.segment()] + o.offset());
}
template <class T> [[nodiscard]] T* lanesOf(Warp& w, Opd o) {
    return reinterpret_cast<T*>(w.base[o.segment()] + o.offset());
}

/// Active lanes in which the guard `predicated` lets the next instruction run.
[[nodiscard]] inline std::uint32_t guardMask(const Warp& w, const Inst* guard) {
    return w.active & (*lanesOf<std::uint32_t>(w, guard->a) ^ (guard->bits & 1 ? ~0u : 0u));
}

/// Generic addresses of a memory instruction (offsets where its space is named), by lane.
inline void readAddresses(const Warp& w, const Inst* ip, bool wide, std::uint64_t* at) {
    const auto offset = std::uint64_t(ip->imm);
    if (ip->bits & (addressing::noBase | addressing::frameBase)) {
        std::fill_n(at, laneCount, offset + (ip->bits & addressing::frameBase ? w.localBase : 0));
    } else if (wide) {
        const std::uint64_t* r = lanesOf<std::uint64_t>(w, ip->a);
        for (std::uint32_t i = 0; i < laneCount; ++i)
            at[i] = r[i] + offset;
    } else {
        const std::uint32_t* r = lanesOf<std::uint32_t>(w, ip->a);
        for (std::uint32_t i = 0; i < laneCount; ++i)
            at[i] = std::uint32_t(r[i] + std::uint32_t(offset));
    }
}

/// Of `lanes`, those whose address lies in the window.
[[nodiscard]] inline std::uint32_t lanesInWindow(const std::uint64_t* at, std::uint32_t lanes, std::uint64_t start) {
    std::uint32_t inside = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i)
        inside |= std::uint32_t((at[i] >> window::shift) == (start >> window::shift)) << i;
    return inside & lanes;
}

} // namespace kernelarium::emulator
