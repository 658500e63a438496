// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/search/FieldValues.h"
#include "core/archive/search/SearchFields.h"
#include "core/archive/store/Search.h"

#include <string>
#include <string_view>

namespace kernelarium::archive {

/// What a person types into a search field: words of these fields anywhere in it, everything else is the
/// text.
///
///     task:1/23  task:23  level:2  op:softmax  class:matrix  name:"two words"  word:tiled  correct:yes
///     error:compile  error:no  has:ncu uses:wmma  speedup>2  speedup:1..2  compile>=1.5  runtime<0.1  re:"x\[[0-9]+\]"
///     all:"shared conv"  verdict:wrong,fault  verdict:none  reason:race  remark:precision  checks<12  when>2026-11-01
///     shared OR atomicAdd   -verdict:verified   NOT (tiled OR name:"two words")
///
/// speedup is over PyTorch native, compile over torch.compile, runtime in milliseconds; > and < leave the
/// value itself out. The text is looked for as it stands, spaces included: code has them. `re:` is the text as a
/// regular expression, `all:` are words each of which is looked for, instead of any other. `verdict` and what follows
/// it are about our own newest verdicts, which `query` has. What stands side by side has to hold together; NOT (or - at
/// a word) binds strongest, OR weakest, parentheses group. Then each run of text between them is looked for by itself,
/// NOT takes one word, and `"a phrase"` or parentheses behind it several. SearchTokens.h says when parentheses and
/// minus signs are text.
///
/// `query` holds what is set otherwise (case, limit, sort). Error "bad_input" for a value that the field does not take,
/// a field that there is not, and for what is not a regular expression; `problem` then says where it stands.
Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query = {}, SearchProblem* problem = nullptr);

/// The condition that a field with this value is ("verdict", "wrong,fault"), for options that are no typed text. Error
/// "bad_input".
Result<ConditionPointer> parseCondition(const std::string& field, const std::string& value);

/// The same search with `all:` for the words of its text. Empty where its text is a single word or none, or no text.
std::string searchForEachWord(std::string_view typed);

} // namespace kernelarium::archive
