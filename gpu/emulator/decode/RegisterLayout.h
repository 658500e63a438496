// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// Where a function's registers stand in its frame: 32 lanes each, predicates one mask each after the others.
struct RegisterLayout {
    std::vector<std::uint32_t> offsets; ///< by register
    std::uint64_t bytes = 0;
};

/// Throws DecodeFailure where a frame would be absurdly large.
RegisterLayout layOutRegisters(const ptx::Function& function);

/// Bytes of one lane in a frame; not of predicates.
[[nodiscard]] std::uint32_t laneBytes(ptx::Type type);

} // namespace kernelarium::emulator
