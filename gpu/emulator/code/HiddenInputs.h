// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/HiddenInput.h"
#include "gpu/ptx/Module.h"

#include <vector>

namespace kernelarium::emulator {

/// What the kernels of a module, with the functions that they call, read of the clock, of their place on the device and
/// of the bits of addresses. Only one of a kind for each kernel, which goes by its mangled name here. The clock does
/// not count where a library reads it to wait. Of an address neither its alignment nor a comparison with null or with
/// another address counts; it does once it is shifted, multiplied or converted, and the number is stored or compared.
[[nodiscard]] std::vector<verify::HiddenInput> hiddenInputs(const ptx::Module& module);

} // namespace kernelarium::emulator
