// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Parallel.h"

#include "core/threads/FanOut.h"

#include <algorithm>

namespace kernelarium::task::operators {

void parallelFor(const Call& call, std::int64_t count, std::int64_t piece,
                 const std::function<void(std::int64_t, std::int64_t)>& body) {
    piece = std::max<std::int64_t>(piece, 1);
    const std::int64_t pieces = (count + piece - 1) / piece;
    threads::forEach(std::size_t(pieces), call.context().threads, [&](std::size_t item, std::size_t) {
        const auto i = std::int64_t(item);
        call.checkStop();
        body(i * piece, std::min(count, (i + 1) * piece));
    });
}

} // namespace kernelarium::task::operators
