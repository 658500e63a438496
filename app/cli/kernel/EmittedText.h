// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/Compiler.h"

#include <string>

namespace kernelarium::cli {

/// What the compile command prints on standard output.
enum class Emit { summary, ptx, cubin, sass };

/// The emitted text: PTX, bytes of the cubin, SASS; empty for the summary. Error "missing_component" without nvdisasm.
Result<std::string> emitted(const compile::CompiledUnit& unit, Emit emit, const compile::Toolkit& toolkit);

} // namespace kernelarium::cli
