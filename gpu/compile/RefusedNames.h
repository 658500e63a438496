// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"

#include <vector>

namespace kernelarium::compile {

/// Makes the shim declare what PyTorch has and we cannot run (aten_refused.h): a call of it ends the run as
/// unsupported, by name; and all that we have of the standard library (std_rare.h). It takes a precompiled header of
/// its own, so only sources that did not compile without it get it.
inline constexpr const char* refusedNamesFlag = "-DKL_REFUSED_NAMES";

/// Whether one of the errors misses such a name.
[[nodiscard]] bool missesRefusedName(const std::vector<Diagnostic>& found);

} // namespace kernelarium::compile
