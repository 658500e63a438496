// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/FieldValues.h"

#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// A part of what a person typed into a search.
struct SearchToken {
    enum class Kind {
        text,   ///< a word of the text that is looked for
        phrase, ///< a text in quotes, behind NOT
        field,
        negation, ///< NOT, or - before a word
        either,   ///< OR
        both,     ///< AND
        open,     ///< a parenthesis that groups
        close,
    };
    Kind kind = Kind::text;
    SearchProblem place;
    TypedField field = {};
    [[nodiscard]] std::size_t end() const { return place.at + place.length; }
};

/// Code is looked for as it is typed, so parentheses and minus signs are mostly text. A parenthesis groups where it
/// stands before a word, its partner behind one, and OR, AND, NOT, - or a field stands between them, or NOT before it.
/// A minus is NOT where it stands directly before a letter, a quote or a parenthesis, and what is before it does not
/// end in a sign, as in `x = -INFINITY`. Throws BadField for an unknown field and for a group that is not closed.
[[nodiscard]] std::vector<SearchToken> searchTokens(std::string_view typed, bool isRegex);

} // namespace kernelarium::archive
