// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/SignatureTable.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// Short pieces of text of which every match of a regular expression has one, looked up in signatures: "x = 0" to
/// "x = 9" for "x = \d+". RE2's own filter (re2::FilteredRE2) knows texts without such a choice, or with a small one.
class RunWindows {
public:
    /// Of an expression in RE2's syntax that RE2 has accepted. Without windows where none is worth looking up.
    RunWindows(std::string_view expression, bool matchCase);

    [[nodiscard]] bool isEmpty() const { return m_windows.empty(); }
    [[nodiscard]] TextSet possible(const SignatureTable& signatures) const;

private:
    using Bits = std::vector<std::uint16_t>;
    std::vector<std::vector<Bits>> m_windows; ///< of each window every text it may be; a match has one of each
};

} // namespace kernelarium::archive
