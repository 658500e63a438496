// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/ExpressionParser.h"
#include "core/tuning/space/SpaceText.h"

#include <QString>
#include <optional>
#include <string>

namespace kernelarium::test {

/// A file of tests/tuning_space/kernels.
std::string tunableKernel(const std::string& name);

/// The message and the action of what is first wrong with a text, or "" .
QString firstProblem(const std::string& text);

/// An expression's value over parameters at their start, as text; "refused" where it cannot be calculated, "!" and the
/// message where it is no expression.
QString evaluated(const std::string& expression, tuning::Expression::Rules rules = tuning::Expression::Rules::cpp,
                  const std::vector<tuning::Parameter>& parameters = {});

/// How many points no restriction forbids, one by one.
std::uint64_t countedOneByOne(const tuning::Space& space);

} // namespace kernelarium::test
