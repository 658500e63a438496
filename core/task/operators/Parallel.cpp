// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace kernelarium::task::operators {

void parallelFor(const Call& call, std::int64_t count, std::int64_t piece,
                 const std::function<void(std::int64_t, std::int64_t)>& body) {
    piece = std::max<std::int64_t>(piece, 1);
    const std::int64_t pieces = (count + piece - 1) / piece;
    const std::int64_t threads = std::min<std::int64_t>(std::max(1u, call.context().threads), pieces);
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
        try {
            for (std::int64_t i; (i = next.fetch_add(1)) < pieces;) {
                call.checkStop();
                body(i * piece, std::min(count, (i + 1) * piece));
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!failure) failure = std::current_exception();
            next = pieces;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::int64_t t = 1; t < threads; ++t)
            others.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace kernelarium::task::operators
