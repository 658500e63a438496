// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// Parts of the shim that a source reaches by spelling one of their names, and not otherwise: modules (torch::nn),
/// autograd, libraries of operators, most of the CUDA runtime. The compiler's front end walks all that it knows in each
/// run, used or not, so that a source which names nothing of them is compiled without.
///
/// Whether the text may name something of them. Where it says too much (a comment has the word; tokens are pasted),
/// nothing is lost but time.
[[nodiscard]] bool namesParts(std::string_view text);

/// Whether a header of the shim among these does, which `prelude` (a header of the shim) has not brought already; one
/// that is not the shim's may.
[[nodiscard]] bool includesParts(const std::vector<std::string>& includes, std::string_view prelude);

/// What goes before the shim where it is wanted without them.
inline constexpr const char* withoutNamedParts = "#define KL_WITHOUT_NAMED_PARTS\n";

} // namespace kernelarium::compile
