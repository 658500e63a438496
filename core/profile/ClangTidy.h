// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::profile {

/// A warning or error of clang-tidy.
struct TidyFinding {
    std::string file;     ///< without its folders
    int line = 0;         ///< from 1, in the kernel's code
    int column = 0;       ///< from 1
    std::string severity; ///< "warning", "error"
    std::string message;
    std::string check;              ///< "bugprone-narrowing-conversions"; empty: the compiler's own
    std::vector<std::string> notes; ///< "12:5: message"
};

/// What clang-tidy said of a kernel, as the archive keeps it.
struct ClangTidyReport {
    std::vector<TidyFinding> findings; ///< by line and column; one that was reported several times stands once
    bool errored = false;              ///< clang-tidy itself failed
    std::string log;                   ///< its standard error

    [[nodiscard]] std::size_t warnings() const;
};

/// A cell of column Clang_Tidy: a dict with the texts 'stdout' and 'stderr'. Error "bad_profile".
Result<ClangTidyReport> parseClangTidy(std::string_view cell);

/// The findings in clang-tidy's own output.
std::vector<TidyFinding> parseTidyOutput(std::string_view output);

/// Whether it warns of what every CUDA kernel has: an int made of threadIdx, blockIdx and their like, which are
/// unsigned. `source` is the text that it is about.
[[nodiscard]] bool isIndexNarrowing(const TidyFinding& finding, std::string_view source);

} // namespace kernelarium::profile
