// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/LeftOut.h"

#include <algorithm>
#include <bit>

namespace kernelarium::emulator {

namespace {

using State = DeviceMemory;

std::uint8_t afterAll(std::uint8_t s) {
    const bool stored = (s & State::stateFresh) && (s & State::stateInitialised);
    s = std::uint8_t(s & ~(State::stateFresh | State::stateAccumulated));
    return stored ? std::uint8_t((s & ~State::stateUnknown) | State::stateStored) : s;
}

std::uint8_t afterSome(std::uint8_t s) {
    const bool known = (s & State::stateFresh) && (s & State::stateInitialised) && !(s & State::stateAccumulated);
    if (known) return afterAll(s);
    s = std::uint8_t(s & ~(State::stateFresh | State::stateAccumulated | State::stateStored | State::stateInitialised));
    return std::uint8_t(s | State::stateUnknown);
}

} // namespace

void markUnknown(Warp& w, const Region& r, const std::uint64_t* offsets, std::uint32_t bytes) {
    if (!r.states) return;
    for (std::uint32_t m = w.active & w.unknown; m; m &= m - 1) {
        std::uint8_t* s = r.states + offsets[std::countr_zero(m)];
        for (std::uint32_t k = 0; k < bytes; ++k)
            s[k] = std::uint8_t((s[k] & ~(State::stateInitialised | State::stateStored)) | State::stateUnknown);
    }
}

std::uint32_t notUnknown(Warp& w, const Region& r, std::uint32_t lanes, const std::uint64_t* offsets,
                         std::uint32_t bytes) {
    std::uint32_t unknown = 0;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint8_t* s = r.states + offsets[lane];
        // Blocks of this very launch may have been meant to write global memory before.
        const bool any = r.kind == Region::Kind::global || std::any_of(s, s + bytes, [](std::uint8_t state) {
                             return (state & State::stateUnknown) != 0;
                         });
        unknown |= std::uint32_t(any) << lane;
    }
    w.unknown |= unknown;
    return lanes & ~unknown;
}

void settleStates(DeviceMemory& memory, bool leftOut) {
    if (!memory.isTracked()) return;
    memory.forEachLive([&](const Allocation& a) {
        if (a.owner != Owner::device && a.owner != Owner::module_) return;
        std::uint8_t* first = memory.states() + (a.address - DeviceMemory::base);
        std::uint8_t* end = first + a.bytes;
        const bool stored = std::any_of(first, end, [](std::uint8_t s) { return (s & State::stateFresh) != 0; });
        if (stored) std::transform(first, end, first, leftOut ? afterSome : afterAll);
    });
}

bool isKnown(const DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint8_t needed = State::stateInitialised | State::stateStored;
    const std::uint8_t* s = memory.states() + (address - DeviceMemory::base);
    return std::all_of(s, s + bytes, [](std::uint8_t state) { return (state & needed) == needed; });
}

} // namespace kernelarium::emulator
