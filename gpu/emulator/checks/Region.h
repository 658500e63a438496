// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/emulator/memory/RaceRecord.h"

#include <cstddef>
#include <cstdint>

namespace kernelarium::emulator {

/// A memory as one instruction sees it: `offset` + `memory` is the byte, `states[offset]` its state.
struct Region {
    enum class Kind : std::uint8_t { global, shared, local } kind = Kind::global;
    std::byte* memory = nullptr;
    std::uint8_t* states = nullptr;                        ///< null: only the limit is checked
    std::uint64_t limit = 0;                               ///< bytes
    std::uint8_t readable = 0;                             ///< state bits that a read needs
    std::uint8_t writable = 0;                             ///< state bits that a write needs
    race::Marks marks{};                                   ///< for races; none: nothing is tracked
    std::uint8_t written = DeviceMemory::stateInitialised; ///< state bits that a store sets
};

} // namespace kernelarium::emulator
