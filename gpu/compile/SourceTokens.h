// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// A preprocessing token of C++ source. Comments, string and character literals, and directives other than #define
/// are skipped; literals leave one token, so that neighbours are not mistaken for neighbours.
struct Token {
    enum class Kind { identifier, number, literal, punctuation } kind;
    std::size_t offset; ///< into the source
    std::string_view text;
};

/// An #include, #if and so on: the line it starts on (1-based) and its text without the '#', continuations joined by
/// the text itself.
struct Directive {
    int line;
    std::string_view name; ///< "include", "ifndef", ...
    std::string_view rest; ///< what follows on the logical line
};

struct SourceTokens {
    std::vector<Token> tokens;
    std::vector<Directive> directives;
};

/// Never fails: unbalanced quotes end at the line's end, as they do for a compiler in recovery.
SourceTokens tokenize(std::string_view source);

/// 1-based line and column of an offset.
struct Position {
    int line;
    int column;
};
Position positionOf(std::string_view source, std::size_t offset);

} // namespace kernelarium::compile
