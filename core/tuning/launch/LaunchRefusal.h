// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MultiprocessorLimits.h"
#include "core/text/CompilerSettings.h"

#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::tuning {

/// Why a kernel's text cannot launch on a device, told from the text alone, before it is compiled: "a block of 2,048
/// threads; the device allows 1,024". Nothing where it may: what is not certain is left to the compiler and the launch.
///
/// It looks at the launches `kernel<<<grid, block, shared>>>` that the module's function (`entry`, or `forward`, or the
/// only one) makes whenever it is called: in its outermost block, in no branch, loop, lambda or #if, and before
/// whatever may leave the function or steers in a macro; `if (rows == 0 || x.numel() == 0) return y;` may not where the
/// tensors that it is called with have elements (`inputsHaveElements`). What is a constant there (ConstantNumbers.h) is
/// held against CUDA's limits: a block with no threads or with more than the device's, an extent that no device has,
/// more threads than the kernel's
/// __launch_bounds__, more dynamic shared memory than the device has, or than 48 KiB where nothing in the text asks for
/// more (cudaFuncSetAttribute).
///
/// A launch that CUDA refuses counts as the end of it, unless the text may notice that and do something else: it
/// catches exceptions, or looks at the error outside of a check that throws.
///
/// Not told, because it cannot be known: anything where folders of headers are searched, registers (ptxas says how
/// many, and a cap may be met), static shared memory (an array that nothing live reads is dropped, whatever its size),
/// min_blocks of launch bounds (ptxas ignores those that do not fit).
[[nodiscard]] std::optional<std::string> launchRefusal(std::string_view text, const text::CompilerSettings& settings,
                                                       const perf::MultiprocessorLimits& limits,
                                                       std::string_view entry = {}, bool inputsHaveElements = false);

} // namespace kernelarium::tuning
