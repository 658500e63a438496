// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// What an access of memory is part of, as far as races are concerned.
enum class AccessRole : std::uint8_t {
    other,
    atomic,
    /// A store of what was made of a value loaded from the same address, neither of them atomic: `s += x`. A
    /// plain store is one as well where that value decides whether it is made: `if (x > s) s = x`; a volatile
    /// one is not, since that is how flags are waited for.
    update,
    /// A load whose value goes into an atomic on the same address, or decides on it: the beginning of a loop
    /// around a compare-and-swap, `if (x > s) atomicMax(&s, x)`.
    guard,
    /// What wgmma reads of shared memory.
    product,
    /// A bulk copy's.
    bulk,
};

/// Of each instruction of the function. Addresses are the same where they are the same register and offset;
/// values are followed through registers, wherever in the function these are set.
[[nodiscard]] std::vector<AccessRole> accessRoles(const ptx::Function& function);

/// Whether the function has atomics of which locks are made: compare-and-swap, exchange.
[[nodiscard]] bool mayLock(const ptx::Function& function);

} // namespace kernelarium::emulator
