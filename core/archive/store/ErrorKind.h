// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace kernelarium::archive {

/// At which stage an archived kernel failed. The numbers are stored in the file: append only.
enum class ErrorKind {
    none,        ///< correct, or nothing is known against it
    wrongResult, ///< ran, and its result is wrong (the archive gives no error text then)
    compile,     ///< refused by the compiler
    assemble,    ///< refused by ptxas
    link,        ///< refused by the linker
    import,      ///< built, but Python could not load or call the extension
    launch,      ///< refused or broken on the device
    other
};

/// The words that a person sees and types, by the number of the kind.
inline constexpr std::array<std::string_view, 8> errorKindWords = {"none", "wrong_result", "compile", "assemble",
                                                                   "link", "import",       "launch",  "other"};

constexpr std::string_view errorKindWord(ErrorKind kind) {
    return errorKindWords[static_cast<std::size_t>(kind)];
}

constexpr std::optional<ErrorKind> errorKindFromWord(std::string_view word) {
    for (std::size_t i = 0; i < errorKindWords.size(); ++i)
        if (errorKindWords[i] == word) return static_cast<ErrorKind>(i);
    return std::nullopt;
}

/// Reads the stage from the build and run log that the archive keeps as its error text.
ErrorKind classifyError(std::optional<std::string_view> errorText, std::optional<bool> correct);

} // namespace kernelarium::archive
