// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::verify {

/// Judges elements of one output as Comparison does, but says by how much: |got - expected| / (legacy tolerance *
/// (scale + |expected|)), so that up to 1 is right. NaN where an element is NaN and the reference is not; infinity
/// where an infinity or a whole number is not the reference's.
class Excess {
public:
    Excess(const tensor::Tensor& reference, tensor::DType expectedType, const Tolerance& tolerance)
        : m_exact(!tensor::isFloating(expectedType))
        , m_legacy(tolerance.legacy)
        , m_scale(std::max(rootMeanSquare(reference), Tolerance::smallestScale))
        , m_largest(largestFinite(expectedType)) {}

    [[nodiscard]] float operator()(double got, double expected) const {
        if (got == expected) return 0;
        if (std::isnan(got)) return std::isnan(expected) ? 0.0F : std::numeric_limits<float>::quiet_NaN();
        if (std::isinf(got) && std::abs(expected) > m_largest && std::signbit(got) == std::signbit(expected)) return 0;
        if (m_exact || !std::isfinite(got) || !std::isfinite(expected)) return std::numeric_limits<float>::infinity();
        return float(std::abs(got - expected) / (m_legacy * (m_scale + std::abs(expected))));
    }

private:
    bool m_exact;
    double m_legacy;
    double m_scale;
    double m_largest;
};

} // namespace kernelarium::verify
