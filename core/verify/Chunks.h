// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace kernelarium::verify {

/// Elements that are looked at in one go. Sums are made for each chunk and then over the chunks in order, so that they
/// are the same bits whatever the number of threads.
inline constexpr std::int64_t chunkElements = 1 << 16;

/// Calls f(chunk, from, to) for every chunk of elements 0 to count, several at a time where there are many.
void forChunks(std::int64_t count, const std::function<void(std::size_t chunk, std::int64_t from, std::int64_t to)>& f);

/// What f(from, to) gives for each chunk, in order.
template <class Part, class F> std::vector<Part> chunkwise(std::int64_t count, F f) {
    std::vector<Part> parts(std::size_t((count + chunkElements - 1) / chunkElements));
    forChunks(count, [&](std::size_t chunk, std::int64_t from, std::int64_t to) { parts[chunk] = f(from, to); });
    return parts;
}

} // namespace kernelarium::verify
