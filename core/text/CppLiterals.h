// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Where the parts of C++ source end that may hold anything. Each function takes the place of the part's first
/// character (of a raw string, of its quotation mark) and gives that behind its last. None fails: what is not closed
/// ends with the text.
namespace kernelarium::text {

/// A string or character literal; one that is not closed ends before the line's end, as for a compiler in recovery.
[[nodiscard]] std::size_t afterQuoted(std::string_view code, std::size_t at);

/// The part "name( ... )name" of R"name( ... )name"; without a parenthesis after a name of at most 16 characters it is
/// an ordinary literal.
[[nodiscard]] std::size_t afterRawString(std::string_view code, std::size_t at);

[[nodiscard]] std::size_t afterBlockComment(std::string_view code, std::size_t at);

/// C++ without its comments, so that a word in a comment counts for nothing. Strings and characters stay.
[[nodiscard]] std::string withoutComments(std::string_view code);

} // namespace kernelarium::text
