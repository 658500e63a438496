// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/SourceScan.h"
#include "gpu/compile/Toolkit.h"

#include <optional>
#include <vector>

namespace kernelarium::compile {

/// The failedStage of a source that did not compile for want of what a build of PyTorch has: its first diagnostic names
/// it. Such a source is unsupported; it need not be wrong.
inline constexpr const char* unsupportedStage = "unsupported";

/// Says what is missing, where one of the errors misses a name of the C++ or C library, of CUDA's or of NVIDIA's
/// libraries (as far as the toolkit's headers or lists of ours know it), or is about what host code may do and device
/// code, as which it is compiled here, may not. Nothing where all errors are the author's.
[[nodiscard]] std::optional<Diagnostic> whatIsMissing(const std::vector<Diagnostic>& found, const SourceScan& seen,
                                                      const Toolkit& toolkit);

} // namespace kernelarium::compile
