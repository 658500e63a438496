// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/SourceTokens.h"

#include <map>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// Names, as the #include has them, and texts of what a source includes from these folders, and of what those files
/// include in turn: from their own folder first, then from these. Exceptions are rewritten as in the source itself.
/// Names that stand for a header of the shim are left to it, those that no folder has to the compiler. `toolkit` is set
/// where one of them includes a header of the toolkit. Errors: "bad_input" (more than 64 MB, or more than 4,000 files).
Result<std::map<std::string, std::string>>
includedFiles(const SourceTokens& source, const std::vector<std::string>& folders, bool program, bool& toolkit);

} // namespace kernelarium::compile
