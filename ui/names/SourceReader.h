// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kernelarium::ui {

/// Bytes [begin, end) of a text.
struct SourceSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool holds(std::size_t at) const { return at >= begin && at < end; }
    bool operator==(const SourceSpan&) const = default;
};

/// Where a name is introduced, and where it is known.
struct SourceDefinition {
    SourceSpan name;
    SourceSpan scope;
    bool body = true;    ///< false: only declared here
    bool member = false; ///< of a class: known behind `.` and `->`, and in its methods
};

/// Every definition of a text in pieces, in the order in which it finds them. See SourceIndex.
[[nodiscard]] std::vector<SourceDefinition> readDefinitions(std::string_view text,
                                                            const std::vector<tuning::CodeToken>& code);

} // namespace kernelarium::ui
