// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"
#include "core/tuning/space/Value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A literal in a text that other values can stand in place of.
struct Spot {
    std::size_t begin = 0; ///< of its sign, where it has one
    std::size_t end = 0;
    Value own;                ///< an integer, a floating number, a boolean, or a word
    std::string suffix = {};  ///< of a number: "u", "f"
    bool behindValue = false; ///< a sign would be taken for that of a sum or difference
};

/// A name that a text gives a value to: `constexpr int TILE = 16;` and its kin with const, `{16}`, several to a
/// declaration, enumerators with a value; `#define TILE 16`; `using T = float;`. Nothing of a function's parameters.
struct Definition {
    std::string name;
    std::size_t nameAt = 0;
    std::optional<Spot> spot; ///< empty where the value is no literal
    std::string body;         ///< then, what it is, shortened
};

/// In the order of the text.
[[nodiscard]] std::vector<Definition> definitionsOf(std::string_view text, const std::vector<CodeToken>& code);

/// The literal that begins with piece `at`, a sign before it included, and the piece behind it.
struct SpotAt {
    Spot spot;
    std::size_t next = 0;
};
[[nodiscard]] std::optional<SpotAt> spotAt(std::string_view text, const std::vector<CodeToken>& code, std::size_t at);

/// A word of the text as a value: pieces [first, last), like `unsigned int`, `float4`, `std::size_t`.
[[nodiscard]] std::optional<Spot> wordSpot(std::string_view text, const std::vector<CodeToken>& code, std::size_t first,
                                           std::size_t last);

} // namespace kernelarium::tuning
