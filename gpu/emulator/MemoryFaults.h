// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/Warp.h"

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

enum class AccessKind : std::uint8_t {
    load,
    store,
    update, ///< atomic: reads what is there and stores
};

/// Looks at each active lane's access of `bytes` bytes at its offset, reports what is wrong, notes stores into a
/// watched range, and gives the lanes that may go on. Called only after a quick check failed.
std::uint32_t faultyLanes(Warp& warp, const Inst* ip, const Region& region, const std::uint64_t* offsets,
                          std::uint32_t bytes, AccessKind kind);

/// The addresses (generic ones, by lane) lie in no window: reports them; these lanes do nothing.
void reportBadAddresses(Warp& warp, const Inst* ip, std::uint32_t lanes, const std::uint64_t* addresses,
                        std::uint32_t bytes, bool isStore);

} // namespace kernelarium::emulator
