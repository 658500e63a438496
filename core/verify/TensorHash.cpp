// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/TensorHash.h"

#include <cstring>

namespace kernelarium::verify {

namespace {
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    return hash ^ (hash >> 29);
}
} // namespace

std::uint64_t hashOf(const tensor::Tensor& tensor) {
    const auto bytes = tensor.bytes();
    std::uint64_t hash = mix(0x243f6a8885a308d3ull, bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        hash = mix(hash, word);
    }
    std::uint64_t rest = 0;
    if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    return mix(hash, rest);
}

} // namespace kernelarium::verify
