// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/rewrite/Rule.h"

namespace kernelarium::algebra {

/// Each in the file of its name's subject; Rules.cpp has their order.
[[nodiscard]] Rule singleElementRule(); ///< Simplify.cpp
[[nodiscard]] Rule copyRule();
[[nodiscard]] Rule fusionRule();
[[nodiscard]] Rule foldingRule();
[[nodiscard]] Rule monotoneRule();
[[nodiscard]] Rule diagonalRule(); ///< Masks.cpp
[[nodiscard]] Rule constantMaskRule();
[[nodiscard]] Rule statedStructureRule();
[[nodiscard]] Rule maskedOperandRule();
[[nodiscard]] Rule deadElementsRule(); ///< Slices.cpp
[[nodiscard]] Rule deadSlicesRule();
[[nodiscard]] Rule compositionRule(); ///< Composition.cpp
[[nodiscard]] Rule orderRule();
[[nodiscard]] Rule extremumRule();     ///< Extrema.cpp
[[nodiscard]] Rule distributionRule(); ///< Distribution.cpp

} // namespace kernelarium::algebra
