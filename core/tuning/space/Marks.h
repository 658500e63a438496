// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"
#include "core/tuning/space/MarkTokens.h"
#include "core/tuning/space/Value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// What one mark says, between its semicolons or lines.
struct MarkEntry {
    std::string name; ///< what is set; "where" of a restriction; empty where the line says it
    std::size_t begin = 0;
    std::size_t nameEnd = 0; ///< behind the name, or behind "tune" where there is none
    std::size_t end = 0;
    std::vector<Value> values;     ///< of a parameter
    std::optional<Value> own = {}; ///< "registers = 64: ..."
    std::size_t ownBegin = 0;      ///< of the number behind =
    std::size_t ownEnd = 0;
    std::size_t expression = 0; ///< of a restriction: its first piece

    [[nodiscard]] bool isWhere() const { return name == "where"; }
};

/// A comment that begins with `tune`.
struct Mark {
    CodeComment comment;
    std::vector<MarkToken> tokens; ///< behind the word `tune`
    std::vector<MarkEntry> entries;
};

/// Settings that are no literal of the text.
[[nodiscard]] inline bool isSetting(std::string_view name) {
    return name == "registers" || name == "fast_math";
}

/// Whether a comment is a mark: `tune` with a colon, with a name and a colon (or = and a value), or with `where`,
/// `registers`, `fast_math`, `pow2` or a digit behind it (the colon was forgotten, and is asked for); in a block
/// comment also with the line's end. Then what follows `tune` begins at the given place.
[[nodiscard]] std::optional<std::size_t> markContent(std::string_view text, const CodeComment& comment);

inline constexpr std::size_t mostTextProblems = 100;
inline constexpr std::size_t mostListed = std::size_t(1) << 20; ///< values in all marks of a text

/// Reads what a mark says; what is wrong with an entry becomes a problem, and the entry is left out. `values` is how
/// many more may be listed; what is listed is taken from it, and where it does not suffice, the rest is left out.
[[nodiscard]] Mark readMark(std::string_view text, const CodeComment& comment, std::size_t content, std::size_t& values,
                            TextProblems& problems);

} // namespace kernelarium::tuning
