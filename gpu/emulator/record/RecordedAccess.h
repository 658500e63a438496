// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/emulator/warp/Warp.h"

#include <vector>

namespace kernelarium::emulator {

/// The accesses that a memory instruction is about to make for the lanes in `on`, with the values that it will read.
void noteAccesses(const Warp& w, const Inst* ip, std::uint32_t on, std::vector<recording::Access>& accesses);

/// After it was executed: what it wrote.
void noteWrittenValues(const Warp& w, std::vector<recording::Access>& accesses);

} // namespace kernelarium::emulator
