// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/Search.h"

#include <span>

namespace kernelarium::archive {

/// Where in the typed text something is wrong, in bytes.
struct SearchProblem {
    std::size_t at = 0;
    std::size_t length = 0;
};

/// What a person types into a search field: words of these fields anywhere in it, everything else is the
/// text.
///
///     task:1/23  task:23  level:2  op:softmax  class:matrix  name:"two words"  word:tiled  correct:yes
///     error:compile  error:no  has:ncu uses:wmma  speedup>2  speedup:1..2  compile>=1.5  runtime<0.1  re:"x\[[0-9]+\]"
///     all:"shared conv"
///
/// speedup is over PyTorch native, compile over torch.compile, runtime in milliseconds; > and < leave the
/// value itself out. The text is looked for as it stands, spaces included: code has them. `re:` is the text as a
/// regular expression, `all:` are words each of which is looked for, instead of any other. A field that is not
/// known is text. `query` holds what is set otherwise (case, limit, sort). Error "bad_input" for a value that
/// the field does not take and for what is not a regular expression; `problem` then says where it stands.
Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query = {}, SearchProblem* problem = nullptr);

/// The same search with `all:` for the words of its text. Empty where its text is a single word or none, or no text.
std::string searchForEachWord(std::string_view typed);

/// A field of that language, for those who explain it or complete what is typed.
struct SearchField {
    std::string_view name;
    std::string_view example;
    std::string_view meaning;
    bool isMeasure = false;                    ///< takes > < >= <= = as well as :
    std::vector<std::string_view> values = {}; ///< all that it takes, where they can be listed
};

std::span<const SearchField> searchFields();

/// `value` as parseSearch reads it back: in quotes where it has to be.
std::string quotedSearchValue(std::string_view value);

} // namespace kernelarium::archive
