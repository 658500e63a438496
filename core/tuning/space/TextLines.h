// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/TextProblem.h"

#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// Where the lines of a text begin. Lines and columns count from 1, columns in bytes.
class TextLines {
public:
    explicit TextLines(std::string_view text);

    [[nodiscard]] std::size_t line(std::size_t offset) const;
    [[nodiscard]] std::size_t column(std::size_t offset) const;
    /// "bad_input": "Line 3, column 20: ...".
    [[nodiscard]] Error error(const TextProblem& problem) const;

private:
    std::vector<std::size_t> m_starts;
};

} // namespace kernelarium::tuning
