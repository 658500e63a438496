// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::text {

/// What a kernel asks of its compiler beside the architecture and fast math. They travel as words ("-I/a", "-DN=2",
/// "-UN", "--max-registers=64"), and are shown and typed as one line of them.
struct CompilerSettings {
    std::vector<std::string> folders; ///< -I: searched for headers, in this order
    /// In their order: "-DNAME", "-DNAME=VALUE", "-UNAME". The last one of a name counts; -U also takes back what
    /// PyTorch's builds define (__CUDA_NO_HALF_OPERATORS__ and its kin).
    std::vector<std::string> macros;
    int maxRegisters = 0; ///< of a thread, nvcc's -maxrregcount; 0: no cap

    [[nodiscard]] bool isEmpty() const { return folders.empty() && macros.empty() && maxRegisters == 0; }
    bool operator==(const CompilerSettings&) const = default;
};

[[nodiscard]] std::vector<std::string> wordsOf(const CompilerSettings& settings);
/// Understands nvcc's and PyTorch's spellings too: "-I folder", "--define-macro=N", "-maxrregcount 64". Error
/// "bad_input", which names the word: an unknown option, a name that is none, a number out of 16 to 255.
Result<CompilerSettings> settingsFromWords(const std::vector<std::string>& words);

/// One line; words with blanks, quotes or backslashes in quotes, as a shell has them.
[[nodiscard]] std::string lineOf(const CompilerSettings& settings);
/// Error "bad_input", also for a quote without an end.
Result<CompilerSettings> settingsFromLine(std::string_view line);

/// All that a compilation is told beside its architecture, where one line says it.
struct CompileLine {
    CompilerSettings settings;
    bool fastMath = false; ///< "--fast-math", also as nvcc spells it: "--use_fast_math", "-use_fast_math"
    bool operator==(const CompileLine&) const = default;
};
[[nodiscard]] std::string lineOf(const CompileLine& line);
/// Error "bad_input", as settingsFromLine().
Result<CompileLine> compileFromLine(std::string_view line);

} // namespace kernelarium::text
