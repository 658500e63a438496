// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>

namespace kernelarium::emulator {

/// Registers that ptxas gives each thread of a kernel with setmaxnreg to start with: what .maxnreg says, or as many as
/// .maxntid and .minnctapersm leave, counted in whole warpgroups; never more than its largest setmaxnreg. 0 where it
/// leaves setmaxnreg out, since neither says it (its note C7508: "unable to determine register count at entry"), or
/// where the kernel has none.
[[nodiscard]] std::uint32_t startRegisters(const ptx::Function& kernel);

} // namespace kernelarium::emulator
