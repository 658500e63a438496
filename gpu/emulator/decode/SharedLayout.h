// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/decode/FunctionDecoder.h"

#include <vector>

namespace kernelarium::emulator {

/// For each kernel: which functions it reaches, where the shared variables that these name stand after its own, where
/// dynamic shared memory starts, and how deep its stack may get.
void layOutShared(DecodeContext& context, const std::vector<FunctionDecoder>& decoders,
                  const std::vector<std::pair<const ptx::Function*, std::uint32_t>>& defined);

} // namespace kernelarium::emulator
