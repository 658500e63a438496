// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/MarkTokens.h"
#include "core/tuning/space/Value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// Of one parameter.
inline constexpr std::size_t mostValues = 65536;

/// Reads a list as a mark has it, up to the entry's end:
///
///     8, 16, 32          values; also 0.5, -1, true, float4, "unsigned int"
///     128..1024 step 128 a range with both its ends; without step it goes by 1
///     pow2 32..1024      the powers of two in a range
///
/// in any mixture. All are of one kind: numbers (doubles, where one of them has a point), booleans or words; none
/// twice. Otherwise one problem: an empty or too large range, a value given twice, a piece that is no value.
[[nodiscard]] std::optional<std::vector<Value>> readValueList(MarkStream& stream, TextProblems& problems);

/// One value: a number with its sign, a boolean, a word, a quotation.
[[nodiscard]] std::optional<Value> readValue(MarkStream& stream, TextProblems& problems);

/// Makes all of one kind, numbers to doubles where some are. Otherwise what is wrong: "8 is a number and float a word".
[[nodiscard]] std::optional<std::string> unifyValues(std::vector<Value>& values);

/// Whether a text may stand in a kernel's text for a word: a name, with :: < > , * & or blanks in it, and nothing that
/// could be a comment, a quotation, a directive or a second statement.
[[nodiscard]] bool isPlainWord(std::string_view text);

} // namespace kernelarium::tuning
