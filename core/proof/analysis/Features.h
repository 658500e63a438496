// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <set>
#include <string>

namespace kernelarium::proof {

/// What of a graph decides which rungs apply.
struct Features {
    bool hasExp = false;           ///< exponentials, those within elu and selu among them
    std::set<std::string> ordered; ///< functions and combinations that ask which number is larger
    std::set<std::string> opaque;  ///< functions without a form in a field
    std::set<double> rounded;      ///< literals that may stand for irrational numbers (Rational::isRounded)

    void add(const Features& other);
    [[nodiscard]] bool isRational() const { return ordered.empty() && opaque.empty(); }
};
[[nodiscard]] Features featuresOf(const algebra::Graph& graph);

/// "max, relu and tanh"
[[nodiscard]] std::string listed(const std::set<std::string>& names);

} // namespace kernelarium::proof
