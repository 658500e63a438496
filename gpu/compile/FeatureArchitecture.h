// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::compile {

/// The architecture to compile a file for that is meant for `arch`: Hopper's warpgroup instructions are of sm_90a alone
/// (PTX ISA, "Target ISA Notes" of wgmma and setmaxnreg), and every GPU of compute capability 9.0 runs its code. Files
/// that name one of them, or include CUTLASS, which asks for its macro, are compiled for it where sm_90 is meant.
[[nodiscard]] std::string featureArchitecture(const std::string& arch, std::string_view source);

} // namespace kernelarium::compile
