// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Random.h"

#include <cstddef>
#include <vector>

namespace kernelarium::tuning {

using Row = std::vector<double>; ///< Axes::places() of a point

struct Prediction {
    double mean = 0;
    double variance = 0; ///< how unsure the model is of it
};

/// A guess at the values of points from those that are known.
class Surrogate {
public:
    virtual ~Surrogate() = default;
    /// As many targets as rows, at least 2. `ordered`: for each place of a row, whether near places are alike.
    virtual void fit(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered,
                     Random random) = 0;
    [[nodiscard]] virtual Prediction predict(const Row& row) const = 0;
};

} // namespace kernelarium::tuning
