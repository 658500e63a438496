// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <unordered_map>
#include <vector>

namespace kernelarium::diff {

/// A change: `oldCount` things from `oldFirst` on became `newCount` things from `newFirst` on (0-based).
struct Change {
    int oldFirst = 0;
    int oldCount = 0;
    int newFirst = 0;
    int newCount = 0;

    friend bool operator==(const Change&, const Change&) = default;
};

/// The changes that make `b` of `a`, in order, never touching each other. Shortest edit script in linear space (Myers,
/// "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986) while it needs fewer than some 1000
/// edits in a row; beyond, a correct script that may be longer, so that time stays near linear. A stop gives one
/// change of everything left.
[[nodiscard]] std::vector<Change> sequenceDiff(const std::vector<int>& a, const std::vector<int>& b,
                                               const std::stop_token& stop = {});

/// The same for two lists of things that can be hashed and compared: lines, words.
template <class List>
[[nodiscard]] std::vector<Change> listDiff(const List& a, const List& b, const std::stop_token& stop = {}) {
    std::unordered_map<typename List::value_type, int> numbers;
    const auto numbered = [&](const List& list) {
        std::vector<int> result;
        for (const auto& thing : list)
            result.push_back(numbers.try_emplace(thing, int(numbers.size())).first->second);
        return result;
    };
    const std::vector<int> first = numbered(a);
    return sequenceDiff(first, numbered(b), stop);
}

} // namespace kernelarium::diff
