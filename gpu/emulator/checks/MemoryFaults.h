// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/checks/Region.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// What an access does.
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
