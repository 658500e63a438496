// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::proof {

/// One round of a mixing function in which every bit of the result depends on every bit given: a function that a key
/// chooses, for values that no one fits to the key.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t key, std::uint64_t x) {
    x ^= key;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x += key * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull;
    return x ^ (x >> 32);
}

} // namespace kernelarium::proof
