// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernelarium::tuning {

/// What is wrong with a part of a text: what was found there, and what to do about it.
struct TextProblem {
    std::size_t begin = 0; ///< bytes of the text
    std::size_t end = 0;   ///< behind the last one; not before `begin`
    std::string message;
    std::string action = {};
};

using TextProblems = std::vector<TextProblem>;

} // namespace kernelarium::tuning
