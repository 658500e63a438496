// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::tuning {

/// How much each parameter of a space matters to the value, as far as the candidates tell: the shares add up to 1.
///
/// Permutation importance (Breiman 2001, "Random Forests", section 10; Fisher, Rudin, Dominici 2019): a forest learns
/// the logarithm of the value (the value itself where one is not positive); a parameter's importance is by how much its
/// squared error grows when that parameter's values are dealt anew among the points. Deterministic.
struct Importance {
    std::vector<double> shares; ///< by parameter; all 0 where the value does not depend on any
    std::size_t points = 0;     ///< that it is drawn from
    double explained = 0;       ///< of the variance, by the forest on points that it has not seen: below some 0.5 the
                                ///< shares say little
};

/// Only candidates that rank count, and whose keys are points of the space. Empty where there are fewer than 10.
[[nodiscard]] std::optional<Importance> importanceOf(const Space& space, const std::vector<Judged>& all);

} // namespace kernelarium::tuning
