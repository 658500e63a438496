// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kernelarium::tuning {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine, and cheap to begin anew for each draw.
class Random {
public:
    explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0)
        : m_state(mixed(seed) ^ (mixed(stream + 0x632be59bd9b4e019U) * 0x9e3779b97f4a7c15U)) {}

    std::uint64_t next() { return mixed(m_state += 0x9e3779b97f4a7c15U); }
    /// From 0 to count - 1; count must not be 0.
    std::uint64_t below(std::uint64_t count) {
        __extension__ using Wide = unsigned __int128; // the product's upper half: no division, hardly a bias
        return std::uint64_t((static_cast<Wide>(next()) * count) >> 64);
    }
    /// From 0, without 1.
    double uniform() { return double(next() >> 11) * 0x1.0p-53; }

    template <class T> void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[below(i)]);
    }

private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    std::uint64_t m_state;
};

} // namespace kernelarium::tuning
