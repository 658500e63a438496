// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "gpu/compile/SourceScan.h"

#include <filesystem>
#include <vector>

namespace kernelarium::compile {

struct SourceTokens;

/// What a source takes in from the folders of its settings, looked at as the source itself is: what its files ask for,
/// and which of them have exceptions, which device code has not (ExceptionRewrite.h).
struct IncludedFiles {
    struct Copy {
        std::string name; ///< as it is included: "a/b.cu"
        std::string text;
        std::filesystem::path folder; ///< where it lies, for what it includes from beside itself
    };
    bool includesTorch = false;
    /// Where any has exceptions, all of them, rewritten or as they are: a file finds what lies beside it first.
    std::vector<Copy> copies;
};

/// Names in quotes, in angle brackets, or that a -D of the settings stands for; files are followed, 1000 at most. What
/// cannot be read is left to the compiler to complain of.
[[nodiscard]] IncludedFiles includedFiles(const SourceTokens& source, const text::CompilerSettings& settings);

/// Puts the copies into this folder, which takes the place of the user's. Returns the folders to be searched in
/// all, in order.
[[nodiscard]] std::vector<std::string> foldersWith(const IncludedFiles& files, const std::filesystem::path& copies,
                                                   const std::vector<std::string>& folders);

} // namespace kernelarium::compile
