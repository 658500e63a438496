// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Shard.h"

#include <charconv>
#include <fmt/format.h>

namespace kernelarium::tuning {

namespace {
/// SplitMix64's mixing (Steele, Lea, Flood 2014): neighbouring numbers get unrelated ones.
std::uint64_t mixedNumber(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

bool readNumber(std::string_view word, unsigned& out) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
    return error == std::errc{} && end == word.data() + word.size();
}
} // namespace

bool Shard::has(std::uint64_t number) const {
    return whole() || mixedNumber(number) % count == index - 1;
}

std::string Shard::text() const {
    return fmt::format("{}/{}", index, count);
}

Result<Shard> shardOf(std::string_view text) {
    constexpr unsigned mostShards = 100000;
    Shard shard;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || !readNumber(text.substr(0, slash), shard.index) ||
        !readNumber(text.substr(slash + 1), shard.count) || shard.index < 1 || shard.index > shard.count ||
        shard.count > mostShards)
        return Error{"bad_input", fmt::format("`{}` is not a shard.", text),
                     "Write I/N with I from 1 to N, as in 2/5."};
    return shard;
}

} // namespace kernelarium::tuning
