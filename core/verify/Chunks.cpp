// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Chunks.h"

#include "core/threads/FanOut.h"

namespace kernelarium::verify {

void forChunks(std::int64_t count, const std::function<void(std::size_t, std::int64_t, std::int64_t)>& f) {
    constexpr std::int64_t chunksPerThread = 4; // fewer are done sooner than a thread begins
    const std::int64_t chunks = (count + chunkElements - 1) / chunkElements;
    const auto most = std::size_t(std::min<std::int64_t>(threads::cores(), chunks / chunksPerThread));
    threads::forEach(std::size_t(chunks), most, [&](std::size_t chunk, std::size_t) {
        const std::int64_t from = std::int64_t(chunk) * chunkElements;
        f(chunk, from, std::min(count, from + chunkElements));
    });
}

} // namespace kernelarium::verify
