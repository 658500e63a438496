// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::process {

/// What OPENBLAS_CORETYPE should be where OpenBLAS has chosen `chosen` for the processor by itself; empty: as it is.
/// A processor that came after its release is unknown to it, and gets the kernels of 2004 (SSE3), which multiply at a
/// sixth of the speed; it knows the instructions that such a processor has all the same.
[[nodiscard]] std::string blasKernels(std::string_view chosen, bool hasAvx2, bool hasAvx512);

/// The same for this machine, of the OpenBLAS that this process has loaded; empty where it has none, or where the user
/// has set the variable.
[[nodiscard]] std::string blasKernelsHere();

} // namespace kernelarium::process
