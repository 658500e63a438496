// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/text/CompilerSettings.h"
#include "gpu/compile/SourceTokens.h"

#include <map>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// What a source takes in from the folders of its settings.
struct IncludedFiles {
    /// By name, as the #include has it. Exceptions are rewritten as in the source itself,
    /// and host code that is kept from NVRTC is let through (HostGroups.h).
    std::map<std::string, std::string> texts;
    std::vector<std::string> absent; ///< names that none of the folders has; the toolkit's are among them
    bool includesTorch = false;
    bool includesToolkit = false; ///< a header of the toolkit
};

/// The files that the source includes from the settings' folders, and what those include in turn: from their own folder
/// first, then from these. Names in quotes, in angle brackets, or that a -D of the settings stands for. Those of the
/// shim's headers are left to it, those that no folder has to the compiler. `program`: the source has a main.
/// Errors: "bad_input" (more than 64 MB, or more than 4,000 files).
Result<IncludedFiles> includedFiles(const SourceTokens& source, const text::CompilerSettings& settings, bool program);

} // namespace kernelarium::compile
