// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A piece of C++ source. Offsets are bytes of the text, which has less than 4 GiB of them.
struct CodeToken {
    enum class Kind : std::uint8_t {
        word,
        number,
        literal,       ///< a string or a character
        symbol,        ///< one character
        directive,     ///< the # that begins a preprocessor line
        endOfDirective ///< empty, where that line ends
    };
    Kind kind = Kind::symbol;
    bool inDirective = false;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    [[nodiscard]] bool is(std::string_view text, std::string_view what) const { return of(text) == what; }
};

struct CodeComment {
    std::uint32_t begin = 0; ///< of // or /*
    std::uint32_t end = 0;   ///< of // before the line break, of /* behind */
    bool block = false;
    std::uint32_t next = 0; ///< the first piece of code behind it, by its number
};

struct CodeTokens {
    std::vector<CodeToken> code;
    std::vector<CodeComment> comments;
};

/// Never fails: what is not closed ends with its line or with the text. Lines that a backslash continues are one; a
/// backslash inside of a word or a number ends it.
[[nodiscard]] CodeTokens codeTokens(std::string_view text);

} // namespace kernelarium::tuning
