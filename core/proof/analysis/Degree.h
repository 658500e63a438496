// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <stop_token>

namespace kernelarium::proof {

/// A rational function's degrees, at most.
struct Degree {
    double numerator = 0, denominator = 0;
};
/// Degrees of a graph's outputs as rational functions of its inputs, of exponentials and of what functions without a
/// form in a field give (each a variable of its own): the largest of them. Common denominators are not found, so the
/// true ones may be far smaller.
struct Degrees {
    Degree outputs;
    double within = 0;       ///< the largest of an argument of such a function
    double opaqueValues = 0; ///< how many values such functions give
    double mostCombined = 1; ///< values that one maximum or minimum is of, through maxima of maxima
};
[[nodiscard]] Degrees degreesOf(const algebra::Graph& graph);
/// Of the difference of two.
[[nodiscard]] double degreeOfDifference(const Degree& a, const Degree& b);

/// How many exponentials the element of an output (or of an argument of another function) that depends on most of them
/// depends on. Counted exactly for graphs of up to 2048 exponentials; for larger ones it is how many there are.
[[nodiscard]] std::size_t exponentialsOf(const algebra::Graph& graph, std::stop_token stop = {});

} // namespace kernelarium::proof
