// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/TextProblem.h"
#include "core/tuning/space/TunableText.h"

#include <optional>
#include <string>
#include <vector>

/// A space of parameters in a kernel's own text, an ordinary file that compiles by itself: comments that begin with
/// `tune` say which of its literals may be something else, and what.
///
///     constexpr int TILE = 16;              // tune: 8, 16, 32
///     #define BLOCK 256                     // tune: 128..1024 step 128
///     using Vector = float4;                // tune: float, float2, float4
///     #pragma unroll 4                      // tune: 1, 2, 4, 8
///     __launch_bounds__(256, 2)             // tune: 128, 256; min_blocks: 1, 2
///     // tune where: TILE * TILE <= BLOCK, BLOCK % 32 == 0
///     // tune registers: 0, 32, 64
///     // tune fast_math: false, true
///
/// A mark is `tune`, a name where it is needed, a colon and a list (ValueList.h). A # begins a remark.
///
/// What a mark means, in this order:
/// 1. `where:` restricts (Expression.h); `registers:` and `fast_math:` are compile settings, whose first value holds if
///    no other does ("registers = 64: 0, 32, 64").
/// 2. A `/* tune ... */` right before a literal means this literal: f<<<grid, /* tune BLOCK: 128, 256 */ 256>>>.
/// 3. At the end of a line it means that line; on a line of its own the next line of code. There, without a name: the
///    line's one named constant; its unroll factor (`unroll`) or launch bounds (`max_threads`, `min_blocks`,
///    `max_cluster`, in their order). With a name: the constant of that name, otherwise the line's one number, which
///    gets it.
/// 4. A mark on a line of its own may name any constant of the text; so a comment /* tune ... */ of several lines, an
///    entry on each, can hold the whole space. A line that ends with a comma or an operator goes on in the next.
///    Entries on one line are parted by semicolons.
///
/// Restrictions may also name unmarked constants of the text that are literals. One that cannot be calculated at a
/// point (a division by zero) forbids it. `a and b` is two restrictions, so that each is asked as early as it can be.
///
/// Directives are not evaluated: a mark in a part that #if leaves out counts as well.
///
/// The text is a point of its own space: a literal that its list lacks is an error, and so is a text that its own
/// restrictions forbid. (Adding the value would try what the list's author left out; and what a sweep is compared with
/// is the text as it stands.)
///
/// Limits: 16 MiB of text and 1 MiB of marks, 65,536 values of a parameter and 2^20 of all, 256 parameters, fewer than
/// 2^64 points; after 100 problems no more are looked for.
namespace kernelarium::tuning {

/// Where a mark is, and what it marks.
struct MarkedRange {
    std::size_t begin = 0; ///< bytes of the comment
    std::size_t end = 0;
    std::size_t firstLine = 1; ///< of the comment
    std::size_t lastLine = 1;
};

struct SpaceReading {
    std::optional<TunableText> tunable; ///< where there is no problem and at least one parameter
    TextProblems problems;              ///< in the order of the text
    std::vector<MarkedRange> marks;
    std::vector<Parameter> parameters; ///< those that are sound, also where others are not
    std::vector<Spot> spots;           ///< the literals that they set, in their order
};

/// Reads all, however much is wrong: for an editor.
[[nodiscard]] SpaceReading readSpaceText(std::string text);

/// Error "bad_input": the first problem, with line and column. "no_parameters": nothing is marked.
Result<TunableText> spaceOfText(std::string text);

} // namespace kernelarium::tuning
