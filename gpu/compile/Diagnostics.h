// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// NVRTC's log as messages on the user's lines. A message that arises inside the shim is moved to the line of the user
/// that led there, or dropped when it is only a warning. `source` gives names to messages
/// that lack them.
std::vector<Diagnostic> parseCompilerLog(std::string_view log, std::string_view source);

/// What stands between the first two single quotes; empty where there are none.
std::string_view quotedName(std::string_view line);

/// ptxas' complaints from nvJitLink's log, on the user's line where the PTX's line information or the kernel tells it.
std::vector<Diagnostic> parseAssemblerLog(std::string_view log, std::string_view ptx);

/// What ptxas says of a kernel that it has taken: that it serialises products of warpgroups, or waits or fences that it
/// adds between them (its notes C7508 to C7520). On the user's line as far as they tell one, else the kernel's first.
std::vector<Diagnostic> parseAssemblerNotes(std::string_view log, std::string_view ptx);

/// The diagnostics that are passed on: a thousand at most, in their order, errors before warnings and notes where there
/// are more, none longer than some thousand bytes. How many are left out is counted, and said by a note at the end.
[[nodiscard]] std::vector<Diagnostic> passedOn(std::vector<Diagnostic> all, std::size_t& leftOut);

} // namespace kernelarium::compile
