// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "core/tuning/space/Expression.h"
#include "core/tuning/space/Space.h"

#include <string>
#include <vector>

namespace kernelarium::tuning {

/// Bounds of what a file may ask for.
inline constexpr std::size_t largestSpaceFile = std::size_t(4) << 20;      ///< bytes
inline constexpr std::size_t longestFileExpression = std::size_t(1) << 16; ///< bytes of a restriction or of Values
inline constexpr std::size_t mostFileValues = std::size_t(1) << 20;        ///< of all parameters

/// What a file says of a space, before it is known what text it is for.
struct FileSpace {
    std::vector<Parameter> parameters;
    std::vector<bool> startGiven; ///< of each parameter: whether its `start` is the file's word
    std::vector<std::string> restrictions;
    Expression::Rules rules = Expression::Rules::cpp;
    text::CompilerSettings settings; ///< macros and register cap
    bool fastMath = false;
    std::vector<std::string> remarks; ///< what was ignored, by its name
};

} // namespace kernelarium::tuning
