// SPDX-License-Identifier: GPL-3.0-or-later
//
// What would have come of the blocks that a sampled launch leaves out. Their stores are missing, so bytes of every
// allocation that the executed blocks store into are *unknown* after the launch, except those that they stored
// themselves; so are bytes that took part in a sum over blocks (atomics). A later thread that reads an unknown byte is
// unknown from then on, with whatever it hands to its neighbours, and what it stores is unknown too. What is still
// known at the end is what the whole grid would have given.
#pragma once

#include "gpu/emulator/checks/Region.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// After stores of the active lanes: those of unknown lanes leave unknown bytes.
void markUnknown(Warp& warp, const Region& region, const std::uint64_t* offsets, std::uint32_t bytes);

/// Of lanes that read what was never written: those that a block left out is not to blame for. The others are unknown
/// from now on.
[[nodiscard]] std::uint32_t notUnknown(Warp& warp, const Region& region, std::uint32_t lanes,
                                       const std::uint64_t* offsets, std::uint32_t bytes);

/// Before lanes exchange values.
inline void spreadUnknown(Warp& warp) {
    if (warp.unknown) [[unlikely]]
        warp.unknown |= warp.active;
}

/// What an atomic sets of a state where a store sets Region::written.
inline std::uint8_t atomicallyWritten(const Region& region) {
    const bool followed = (region.written & DeviceMemory::stateFresh) != 0;
    return followed ? std::uint8_t(region.written | DeviceMemory::stateAccumulated) : region.written;
}

/// After a launch: `leftOut` tells whether it left blocks out.
void settleStates(DeviceMemory& memory, bool leftOut);

/// Whether bytes are unknown, or at the end of a run that left blocks out not surely what the whole grid would have
/// given: nothing but a kernel's store is.
[[nodiscard]] bool isKnown(const DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes);

} // namespace kernelarium::emulator
