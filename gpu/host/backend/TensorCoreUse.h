// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::host {

/// Element types of the first factor of the matrix multiply instructions (wmma.mma, mma.sync, wgmma) in a PTX text,
/// each once, in the order in which they occur: "f16", "bf16", "tf32", "f64", "s8", ...
[[nodiscard]] std::vector<std::string> tensorCoreTypes(std::string_view ptx);

/// Which atomic instructions a PTX text has: on global (or generic) and on shared memory.
struct AtomicUse {
    bool global = false;
    bool shared = false;
};
[[nodiscard]] AtomicUse atomicUse(std::string_view ptx);

} // namespace kernelarium::host
