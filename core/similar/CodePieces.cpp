// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/CodePieces.h"

#include "core/similar/CodeWords.h"

#include <algorithm>

namespace kernelarium::similar {
namespace {

/// FNV-1a.
std::uint64_t numberOf(std::string_view word) {
    std::uint64_t number = 0xcbf29ce484222325;
    for (const char c : word)
        number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return number;
}

/// The last step of SplitMix64, whose upper half is used: neighbouring sums become unlike numbers.
std::uint32_t mixed(std::uint64_t sum) {
    sum = (sum ^ sum >> 30) * 0xbf58476d1ce4e5b9;
    sum = (sum ^ sum >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>((sum ^ sum >> 31) >> 32);
}

/// A number for every run of words, by Rabin and Karp's rolling sum modulo 2^64.
std::vector<std::uint32_t> runsOf(const std::vector<std::string_view>& words) {
    constexpr std::uint64_t base = 0x9e3779b97f4a7c15;
    const std::size_t length = std::min(words.size(), wordsInPiece);
    std::uint64_t highest = 1; // base^(length - 1): the weight of the word that leaves
    for (std::size_t i = 1; i < length; ++i)
        highest *= base;
    std::vector<std::uint64_t> numbers(words.size());
    std::transform(words.begin(), words.end(), numbers.begin(), numberOf);
    std::vector<std::uint32_t> runs;
    runs.reserve(words.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i >= length) sum -= highest * numbers[i - length];
        sum = sum * base + numbers[i];
        if (i + 1 >= length) runs.push_back(mixed(sum));
    }
    return runs;
}

} // namespace

Pieces piecesOf(std::string_view code) {
    const std::vector<std::uint32_t> runs = runsOf(wordsOf(code));
    Pieces chosen;
    const std::size_t window = std::min(runs.size(), piecesInWindow);
    std::size_t least = SIZE_MAX; // place of the chosen one
    for (std::size_t end = window; end <= runs.size() && window > 0; ++end) {
        const std::size_t begin = end - window;
        if (least != SIZE_MAX && least >= begin && runs[least] <= runs[end - 1]) continue;
        if (least == SIZE_MAX || least < begin) {
            least = begin;
            for (std::size_t i = begin + 1; i < end; ++i)
                if (runs[i] <= runs[least]) least = i; // the rightmost of equal ones
        } else {
            least = end - 1;
        }
        chosen.push_back(runs[least]);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

double sharedPieces(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::size_t common = 0;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i] == b[k])
            ++common, ++i, ++k;
        else if (a[i] < b[k])
            ++i;
        else
            ++k;
    }
    const std::size_t all = a.size() + b.size() - common;
    return all == 0 ? 0 : double(common) / double(all);
}

} // namespace kernelarium::similar
