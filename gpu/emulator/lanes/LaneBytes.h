// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads and stores of whole lanes' bytes outside ld and st, with all of their checks. The instruction's
// `bits` must be those of addressing.
#pragma once

#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/lanes/RaceTrack.h"

namespace kernelarium::emulator::KL_ISA {

using addressing::wideBase;

/// f(region, addresses) for each memory that the active lanes' addresses lie in.
template <ptx::Space S, std::uint32_t Bytes, class F>
inline void byRegion(Warp& w, const Inst* ip, Addresses& a, bool isStore, F f) {
    if constexpr (S == ptx::Space::shared) {
        for (std::uint64_t& x : a.at)
            x &= (std::uint64_t(1) << window::shift) - 1;
        classify(w, a, Bytes);
        f(sharedRegion(w), a);
    } else {
        classify(w, a, Bytes);
        byWindow(w, ip, a, Bytes, isStore, f);
    }
}

/// out: Bytes for each lane; those of lanes that may not read stay as they are.
template <ptx::Space S, std::uint32_t Bytes> void fetchLanes(Warp& w, const Inst* ip, Addresses& a, std::byte* out) {
    byRegion<S, Bytes>(w, ip, a, false, [&](const Region& r, Addresses& part) {
        const std::uint32_t all = w.active;
        if (!inOrder<Bytes>(w, r, part, r.states ? r.readable : 0)) {
            w.active = faultyLanes(w, ip, r, part.at, Bytes, AccessKind::load);
            part.contiguous = part.uniform = false;
        }
        eachActive(w, [&](std::uint32_t i) { std::memcpy(out + i * Bytes, r.memory + part.at[i], Bytes); });
        if (r.marks.writers && w.active) noteLoad<Bytes>(w, ip, r, part);
        w.active = all;
    });
}

template <ptx::Space S, std::uint32_t Bytes>
void putLanes(Warp& w, const Inst* ip, Addresses& a, const std::byte* from) {
    byRegion<S, Bytes>(w, ip, a, true, [&](const Region& r, Addresses& part) {
        const std::uint32_t all = w.active;
        if (!inOrder<Bytes>(w, r, part, r.states ? r.writable : 0)) {
            w.active = faultyLanes(w, ip, r, part.at, Bytes, AccessKind::store);
            part.contiguous = part.uniform = false;
        }
        alignas(64) std::byte before[laneCount * Bytes];
        eachActive(w, [&](std::uint32_t i) { std::memcpy(before + i * Bytes, r.memory + part.at[i], Bytes); });
        eachActive(w, [&](std::uint32_t i) {
            std::memcpy(r.memory + part.at[i], from + i * Bytes, Bytes);
            if (r.states)
                for (std::uint32_t k = 0; k < Bytes; ++k)
                    r.states[part.at[i] + k] |= r.written;
        });
        if (w.unknown) [[unlikely]]
            markUnknown(w, r, part.at, Bytes);
        if (r.marks.writers && w.active) noteStore<Bytes>(w, ip, r, part, before, from);
        w.active = all;
    });
}

} // namespace kernelarium::emulator::KL_ISA
