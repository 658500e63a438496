// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Surrogate.h"

namespace kernelarium::tuning {

/// A Gaussian process with a Matérn 5/2 kernel and a length for each place (Rasmussen, Williams 2006, chapters 2, 4 and
/// 5). Words are alike or not. The lengths and the noise are those of the largest marginal likelihood among a few,
/// searched place by place. Of more than `mostRows` rows the best half and the latest half are taken.
class GaussianProcess : public Surrogate {
public:
    static constexpr std::size_t mostRows = 240;

    void fit(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered,
             Random random) override;
    [[nodiscard]] Prediction predict(const Row& row) const override;

private:
    struct Shape {
        std::vector<double> lengths;
        double noise = 1e-3;
    };
    using Matrix = std::vector<double>; ///< rows one behind the other

    struct Standard {
        double mean = 0, scale = 1;
    };
    /// To a mean of 0 and a variance of 1, large values cut.
    [[nodiscard]] static Standard standardise(std::vector<double>& values);
    [[nodiscard]] double covariance(const Row& a, const Row& b, const Shape& shape) const;
    /// The lower Cholesky factor of the rows' covariance. False where there is none.
    [[nodiscard]] bool factor(const std::vector<Row>& rows, const Shape& shape, Matrix& lower) const;
    [[nodiscard]] double likelihood(const std::vector<Row>& rows, const std::vector<double>& targets,
                                    const Shape& shape) const;
    void chooseShape(const std::vector<Row>& rows, const std::vector<double>& targets);

    std::vector<bool> m_ordered;
    Shape m_shape;
    std::vector<Row> m_rows;
    Matrix m_lower;
    std::vector<double> m_weights;
    Standard m_standard;
    std::size_t m_shapedAt = 0; ///< rows that the shape was chosen from
};

} // namespace kernelarium::tuning
