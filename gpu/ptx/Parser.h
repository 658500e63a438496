// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/ptx/Module.h"

#include <memory>
#include <string_view>

namespace kernelarium::ptx {

/// Reads PTX text as NVRTC writes it, inline assembly included. Whether an instruction is known is not decided here.
/// Error "bad_ptx": what was found, what was expected, at which line.
Result<std::unique_ptr<Module>> parse(std::string_view text);

} // namespace kernelarium::ptx
