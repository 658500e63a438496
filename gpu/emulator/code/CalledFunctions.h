// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <vector>

namespace kernelarium::emulator {

/// A function with a body, and all that it may call by name, each once; itself first.
[[nodiscard]] std::vector<const ptx::Function*> calledFrom(const ptx::Module& module, const ptx::Function& function);

} // namespace kernelarium::emulator
