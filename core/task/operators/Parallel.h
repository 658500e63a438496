// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"

#include <functional>

namespace kernelarium::task::operators {

/// Calls body(begin, end) over pieces of [0, count), at most `piece` long each, in as many threads as the
/// context allows; looks at the stop token between pieces. Exceptions of the body come through.
void parallelFor(const Call& call, std::int64_t count, std::int64_t piece,
                 const std::function<void(std::int64_t, std::int64_t)>& body);

/// Elements per piece of a plain loop over elements.
inline constexpr std::int64_t elementPiece = 1 << 16;

} // namespace kernelarium::task::operators
