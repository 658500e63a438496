// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Fault.h"
#include "gpu/ptx/Module.h"

#include <vector>

namespace kernelarium::emulator {

/// What the kernels of a module, with the functions that they call, do to registers of products of warpgroups (wgmma)
/// that PTX leaves undefined, found in the text alone: "product_registers", accumulators that are read or changed, or
/// registers of matrix A that are changed, before a wgmma.wait_group has waited for the product on every way there;
/// "product_fence", a product that no wgmma.fence stands before, or none since other instructions set its accumulators.
/// `line` is the access's (of a fence the product's), `other` the product's (what set the accumulators), `kernel` the
/// mangled name, `count` the number of instructions.
///
/// Compilers move values between registers as they like: a copy is no access, its destination is followed. What they
/// compute ahead of the wait is one, and ptxas, which sees the same text, waits for the product there.
[[nodiscard]] std::vector<verify::Fault> productRegisterFaults(const ptx::Module& module);

} // namespace kernelarium::emulator
