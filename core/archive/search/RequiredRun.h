// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/RunParser.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// Characters side by side that every match of a regular expression has, each given as a set: seven digits for
/// "\d{7}". A text without them has no match, and whether it has them is known by looking at few of its bytes: backward
/// through windows of the run's length, from one that cannot belong to the run on to the next (BNDM: G. Navarro,
/// M. Raffinot, "Fast and flexible string matching by combining bit-parallelism and suffix automata", 2000).
class RequiredRun {
public:
    using Set = CharacterSet;
    static constexpr std::size_t longest = longestRun;

    /// The most telling run of an expression in RE2's syntax that RE2 has accepted; none where it has no run worth
    /// looking for (alternatives, optional parts and flags inside the expression are not looked through).
    static std::optional<RequiredRun> of(std::string_view expression, bool matchCase);

    /// False: the expression has no match in the text. Where a character of the run may be one outside of ASCII, texts
    /// with such characters may always match, since sets do not say which of those belong.
    [[nodiscard]] bool mayMatch(std::string_view text) const;

    [[nodiscard]] const std::vector<Set>& sets() const { return m_sets; }

private:
    explicit RequiredRun(std::vector<Set> sets);
    std::vector<Set> m_sets;                  ///< `longest` at most
    bool m_hasOthers = false;                 ///< characters of the run may be any outside of ASCII
    bool m_hasOtherCases = false;             ///< or the Kelvin sign or the long s
    std::array<std::uint64_t, 256> m_marks{}; ///< of each byte: where in the run it may stand, the last place first
};

} // namespace kernelarium::archive
