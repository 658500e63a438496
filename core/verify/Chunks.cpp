// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Chunks.h"

#include <atomic>
#include <thread>

namespace kernelarium::verify {

void forChunks(std::int64_t count, const std::function<void(std::size_t, std::int64_t, std::int64_t)>& f) {
    constexpr std::int64_t chunksPerThread = 4; // fewer are done sooner than a thread begins
    const std::int64_t chunks = (count + chunkElements - 1) / chunkElements;
    std::atomic<std::int64_t> next = 0;
    const auto work = [&] {
        for (std::int64_t c = next++; c < chunks; c = next++)
            f(std::size_t(c), c * chunkElements, std::min(count, (c + 1) * chunkElements));
    };
    const std::int64_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < std::min(cores, chunks / chunksPerThread); ++t)
        others.emplace_back(work);
    work();
}

} // namespace kernelarium::verify
