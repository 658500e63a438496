// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"

#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// Registers, spills and memory of every kernel, from what ptxas prints with -verbose; constants from the cubin's
/// sections, launch bounds from the PTX. `computeCapability` is 90 for sm_90.
std::vector<KernelResources> readResources(std::string_view linkerInfo, std::string_view ptx,
                                           const std::vector<std::byte>& cubin, int computeCapability);

} // namespace kernelarium::compile
