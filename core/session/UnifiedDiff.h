// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::session {

struct DiffLine {
    enum class Kind { context, removed, added };
    Kind kind = Kind::context;
    std::string_view text;  ///< into one of the two texts, without its line end
    bool endsInLine = true; ///< false: the last line of a text that does not end in a newline
};

/// Lines are numbered from 1; a side of no lines begins at the line before (0 at the top), as in unified
/// diffs.
struct DiffHunk {
    std::size_t oldBegin = 0;
    std::size_t oldCount = 0;
    std::size_t newBegin = 0;
    std::size_t newCount = 0;
    std::vector<DiffLine> lines;
};

struct DiffOptions {
    std::size_t context = 3;
    /// Effort: with more edits than this the differing middle is shown as removed and added as a whole, which
    /// is still a correct diff. Memory grows with its square: 2000 edits take 16 MB.
    std::size_t mostEdits = 2000;
};

/// The changes from one text to the other, least edits first (Myers, "An O(ND) Difference Algorithm and Its
/// Variations", 1986). Empty when the texts are equal. The lines point into the two texts, which must outlive
/// them.
[[nodiscard]] std::vector<DiffHunk> diff(std::string_view before, std::string_view after,
                                         const DiffOptions& options = {});

/// As `diff -u` and `patch` write and read it. Empty when the texts are equal.
[[nodiscard]] std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view beforeName,
                                      std::string_view afterName, const DiffOptions& options = {});

} // namespace kernelarium::session
