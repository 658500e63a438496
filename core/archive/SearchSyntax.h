// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/Search.h"

namespace kernelarium::archive {

/// What a person types into a search field: words of these fields anywhere in it, everything else is the
/// text.
///
///     task:1/23  task:23  level:2  op:softmax  class:matrix  name:"two words"  word:tiled  correct:yes
///     error:compile  error:no  has:ncu uses:wmma  speedup>2  speedup:1..2  compile>=1.5  runtime<0.1  re:"x\[[0-9]+\]"
///
/// speedup is over PyTorch native, compile over torch.compile, runtime in milliseconds; > and < leave the
/// value itself out. `re:` is the text as a regular expression, instead of any other. A field that is not
/// known is text. `query` holds what is set otherwise (case, limit, sort). Error "bad_input" for a value that
/// the field does not take.
Result<SearchQuery> parseSearch(std::string_view typed, SearchQuery query = {});

} // namespace kernelarium::archive
