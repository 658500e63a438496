// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/SpaceText.h"

#include <string>
#include <string_view>
#include <vector>

/// What an editor shows of a tunable text, beside readSpaceText() (marks to fold, problems, literals) and
/// Space::countAllowed() (how many points remain). All offsets are bytes.
namespace kernelarium::tuning {

/// A part of a mark, to be coloured.
struct MarkPart {
    enum class Kind {
        keyword, ///< tune, where, registers, pow2, step, and, min, ...
        name,    ///< of a parameter
        value,   ///< a number, a boolean, a quotation
        symbol
    };
    Kind kind = Kind::symbol;
    std::size_t begin = 0;
    std::size_t end = 0;
};
/// In order. A word is a name where it stands before the colon or is a parameter's, otherwise a value.
[[nodiscard]] std::vector<MarkPart> partsOf(std::string_view text, const MarkedRange& mark,
                                            const std::vector<Parameter>& parameters);

/// What may stand at a place.
struct SpaceCompletion {
    std::size_t begin = 0;          ///< of what is typed already: it is replaced up to the place
    std::vector<std::string> words; ///< in order, none twice; empty outside of marks
};
/// Within a comment that begins like `tune`: the forms of a mark. Before an entry's colon: the words `where:`,
/// `registers:`, `fast_math:`, what the mark's line offers and the text's unmarked constants, with a colon. In a list:
/// pow2, behind a range step, of fast_math its values. In a restriction: parameters, their words, functions, operators.
[[nodiscard]] SpaceCompletion completionsAt(std::string_view text, std::size_t offset);

} // namespace kernelarium::tuning
