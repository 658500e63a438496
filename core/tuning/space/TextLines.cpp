// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/TextLines.h"

#include <algorithm>

namespace kernelarium::tuning {

TextLines::TextLines(std::string_view text)
    : m_starts{0} {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        m_starts.push_back(at + 1);
}

std::size_t TextLines::line(std::size_t offset) const {
    return std::size_t(std::upper_bound(m_starts.begin(), m_starts.end(), offset) - m_starts.begin());
}

std::size_t TextLines::column(std::size_t offset) const {
    return offset - m_starts[line(offset) - 1] + 1;
}

Error TextLines::error(const TextProblem& problem) const {
    return {"bad_input",
            "Line " + std::to_string(line(problem.begin)) + ", column " + std::to_string(column(problem.begin)) + ": " +
                problem.message,
            problem.action};
}

} // namespace kernelarium::tuning
