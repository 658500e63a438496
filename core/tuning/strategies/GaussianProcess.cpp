// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/GaussianProcess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace kernelarium::tuning {
namespace {

constexpr std::size_t mostShapeRows = 100;
constexpr double wordsApart = 0.7; ///< of two different words, where 1 is the length of an axis

/// x with L x = b.
void solveLower(const std::vector<double>& lower, std::vector<double>& b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (std::size_t k = 0; k < i; ++k)
            sum -= lower[i * n + k] * b[k];
        b[i] = sum / lower[i * n + i];
    }
}

/// x with L' x = b.
void solveUpper(const std::vector<double>& lower, std::vector<double>& b) {
    const std::size_t n = b.size();
    for (std::size_t i = n; i-- > 0;) {
        b[i] /= lower[i * n + i];
        for (std::size_t k = 0; k < i; ++k)
            b[k] -= lower[i * n + k] * b[i];
    }
}

} // namespace

GaussianProcess::Standard GaussianProcess::standardise(std::vector<double>& values) {
    // A few values far above the rest would make everything else look alike.
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const double upper = sorted[sorted.size() * 3 / 4], middle = sorted[sorted.size() / 2];
    const double ceiling = upper + 2 * (upper - middle) + 1e-12;
    Standard standard;
    for (double& value : values)
        standard.mean += (value = std::min(value, ceiling)) / double(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - standard.mean) * (value - standard.mean);
    standard.scale = std::max(std::sqrt(squares / double(values.size())), 1e-12);
    for (double& value : values)
        value = (value - standard.mean) / standard.scale;
    return standard;
}

double GaussianProcess::covariance(const Row& a, const Row& b, const Shape& shape) const {
    double square = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = (m_ordered[i] ? a[i] - b[i] : (a[i] == b[i] ? 0.0 : wordsApart)) / shape.lengths[i];
        square += apart * apart;
    }
    const double r = std::sqrt(5 * square);
    return (1 + r + r * r / 3) * std::exp(-r);
}

bool GaussianProcess::factor(const std::vector<Row>& rows, const Shape& shape, Matrix& lower) const {
    const std::size_t n = rows.size();
    lower.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            double sum = covariance(rows[i], rows[k], shape) + (i == k ? shape.noise : 0);
            for (std::size_t m = 0; m < k; ++m)
                sum -= lower[i * n + m] * lower[k * n + m];
            if (i == k && !(sum > 1e-12)) return false;
            lower[i * n + k] = i == k ? std::sqrt(sum) : sum / lower[k * n + k];
        }
    return true;
}

/// The logarithm of the marginal likelihood, less a penalty for lengths that the rows can hardly tell.
double GaussianProcess::likelihood(const std::vector<Row>& rows, const std::vector<double>& targets,
                                   const Shape& shape) const {
    Matrix lower;
    if (!factor(rows, shape, lower)) return -std::numeric_limits<double>::infinity();
    std::vector<double> x = targets;
    solveLower(lower, x);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum -= x[i] * x[i] / 2 + std::log(lower[i * x.size() + i]);
    for (const double length : shape.lengths)
        sum -= std::pow(std::log(length / 0.8), 2) / 2;
    return sum;
}

void GaussianProcess::chooseShape(const std::vector<Row>& rows, const std::vector<double>& targets) {
    Shape best{std::vector<double>(m_ordered.size(), 0.8), 1e-3};
    double most = -std::numeric_limits<double>::infinity();
    const auto consider = [&](Shape shape) {
        const double now = likelihood(rows, targets, shape);
        if (now <= most) return;
        most = now;
        best = std::move(shape);
    };
    for (const double length : {0.2, 0.4, 0.8, 1.6})
        for (const double noise : {1e-4, 1e-2})
            consider({std::vector<double>(m_ordered.size(), length), noise});
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < m_ordered.size(); ++i)
            for (const double factor : {0.5, 2.0, 4.0}) {
                Shape shape = best;
                shape.lengths[i] = std::clamp(shape.lengths[i] * factor, 0.05, 10.0);
                consider(std::move(shape));
            }
        for (const double factor : {0.1, 10.0}) {
            Shape shape = best;
            shape.noise = std::clamp(shape.noise * factor, 1e-6, 0.3);
            consider(std::move(shape));
        }
    }
    m_shape = best;
}

void GaussianProcess::fit(const std::vector<Row>& rows, const std::vector<double>& targets,
                          const std::vector<bool>& ordered, Random) {
    m_ordered = ordered;
    // Each look at a shape costs the cube of its rows. It is chosen from the first of the rows, at certain numbers of
    // them, so that it is the same whoever comes to have these rows.
    const std::size_t few = rows.size() < 16 ? rows.size() : rows.size() - rows.size() % (rows.size() / 8);
    if (few != m_shapedAt) {
        const std::size_t stride = (few + mostShapeRows - 1) / mostShapeRows;
        std::vector<Row> shapeRows;
        std::vector<double> shapeTargets;
        for (std::size_t i = 0; i < few; i += stride) {
            shapeRows.push_back(rows[i]);
            shapeTargets.push_back(targets[i]);
        }
        static_cast<void>(standardise(shapeTargets));
        chooseShape(shapeRows, shapeTargets);
        m_shapedAt = few;
    }
    std::vector<std::size_t> chosen(rows.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t(0));
    if (rows.size() > mostRows) {
        const auto half = std::ptrdiff_t(mostRows / 2);
        std::stable_sort(chosen.begin(), chosen.end() - half,
                         [&](std::size_t a, std::size_t b) { return targets[a] < targets[b]; });
        chosen.erase(chosen.begin() + half, chosen.end() - half);
    }
    m_rows.clear();
    std::vector<double> y;
    for (const std::size_t i : chosen) {
        m_rows.push_back(rows[i]);
        y.push_back(targets[i]);
    }
    m_standard = standardise(y);
    Shape shape = m_shape;
    while (!factor(m_rows, shape, m_lower))
        shape.noise *= 10;
    solveLower(m_lower, y);
    solveUpper(m_lower, y);
    m_weights = std::move(y);
}

Prediction GaussianProcess::predict(const Row& row) const {
    if (m_rows.empty()) return {0, 1};
    std::vector<double> k(m_rows.size());
    double mean = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        k[i] = covariance(row, m_rows[i], m_shape);
        mean += k[i] * m_weights[i];
    }
    solveLower(m_lower, k);
    double variance = 1;
    for (const double x : k)
        variance -= x * x;
    return {m_standard.mean + m_standard.scale * mean, m_standard.scale * m_standard.scale * std::max(variance, 0.0)};
}

} // namespace kernelarium::tuning
