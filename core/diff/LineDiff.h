// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/SequenceDiff.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kernelarium::diff {

/// Lines with their terminators, so that a missing one at the end, or CRLF, counts as a change.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

[[nodiscard]] std::vector<Change> lineDiff(std::string_view before, std::string_view after,
                                           const std::stop_token& stop = {});

struct Line {
    enum class Kind { context, removed, added };
    Kind kind = Kind::context;
    std::string_view text;  ///< into one of the two texts, without its '\n'
    bool endsInLine = true; ///< false: the last line of a text that does not end in a newline
};

/// Lines are numbered from 1; a side of no lines begins at the line before (0 at the top), as in unified diffs.
struct Hunk {
    std::size_t oldBegin = 0;
    std::size_t oldCount = 0;
    std::size_t newBegin = 0;
    std::size_t newCount = 0;
    std::vector<Line> lines;
};

/// The changes of lineDiff() with `context` lines around each, those that come close in one hunk: what `diff -u`
/// prints. Empty when the texts are equal. The lines point into the two texts, which must outlive them.
[[nodiscard]] std::vector<Hunk> hunks(std::string_view before, std::string_view after, std::size_t context = 3);

} // namespace kernelarium::diff
