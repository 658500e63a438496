// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::algebra {

/// Extents of an index space, or of a tensor. A point of a space is one whole number for each axis, from 0 to below
/// the axis's extent.
using Extents = std::vector<std::int64_t>;

/// Points of a space; 1 where it has no axes.
[[nodiscard]] std::int64_t pointCount(const Extents& extents);

/// factor * ((i / divisor) % modulus) of the axis's value i; without modulus (0) nothing is cut off above.
/// Both numbers serve views that split an axis: element e of [H*W] lies at [e / W, e % W].
struct Term {
    int axis = 0;
    std::int64_t factor = 1;
    std::int64_t divisor = 1;
    std::int64_t modulus = 0;
    bool operator==(const Term&) const = default;
    [[nodiscard]] bool isPlain() const { return divisor == 1 && modulus == 0; }
};

/// A whole number that depends on a point: (offset + sum of the terms) / divisor. Where the divisor does not divide
/// exactly, there is no such number, and whoever reads with it reads nothing (a transposed convolution reads its input
/// at (o + pad - k) / stride where stride divides). Terms are in the order of their axes, none has the factor 0, and an
/// axis has one plain term at most (`normalise`).
struct Index {
    std::int64_t offset = 0;
    std::vector<Term> terms;
    std::int64_t divisor = 1;
    bool operator==(const Index&) const = default;

    [[nodiscard]] static Index constant(std::int64_t value) { return {value, {}, 1}; }
    [[nodiscard]] static Index axis(int axis, std::int64_t factor = 1, std::int64_t offset = 0) {
        return {offset, {{axis, factor, 1, 0}}, 1};
    }
    /// Whether it is exactly the value of one axis.
    [[nodiscard]] bool isAxis() const {
        return offset == 0 && divisor == 1 && terms.size() == 1 && terms[0].factor == 1 && terms[0].isPlain();
    }
    /// Whether all terms are plain: an affine function, before the division.
    [[nodiscard]] bool isAffine() const;
    [[nodiscard]] bool uses(int axis) const;
    /// Its value at a point, or nothing where the divisor does not divide.
    [[nodiscard]] std::optional<std::int64_t> at(std::span<const std::int64_t> point) const;
};

/// The point has to satisfy index >= 0 (with a divisor: and be divided exactly).
using Constraint = Index;

/// Smallest and largest value of the numerator, offset + sum of the terms, over a space: exact for affine ones, at
/// least as wide otherwise.
struct Range {
    std::int64_t low = 0, high = 0;
    [[nodiscard]] bool within(std::int64_t extent) const { return low >= 0 && high < extent; }
};
[[nodiscard]] Range rangeOf(const Index& index, const Extents& space);
/// Whether the constraint holds at every point, and whether at none.
[[nodiscard]] bool holdsAlways(const Constraint& constraint, const Extents& space);
[[nodiscard]] bool holdsNever(const Constraint& constraint, const Extents& space);

/// Terms sorted, those of one axis joined, zeros dropped, what a modulus or divisor cannot change simplified.
void normalise(Index& index, const Extents& space);

[[nodiscard]] Index operator+(Index a, const Index& b); ///< of indices without divisor
[[nodiscard]] Index operator*(Index a, std::int64_t factor);
[[nodiscard]] inline Index operator-(Index a, const Index& b) {
    return std::move(a) + b * -1;
}

/// The index with every axis replaced by what `replacement` has at the axis's place, an index over `space`. Nothing
/// where the result is not of this form: a quotient or rest of a sum that does not part evenly, a quotient of what has
/// a divisor of its own.
[[nodiscard]] std::optional<Index> substituted(const Index& index, std::span<const Index> replacement,
                                               const Extents& space);
/// The index with each axis given another number.
[[nodiscard]] Index renumbered(Index index, std::span<const int> axes);

/// "2*o0 + r1 - 1", with the names given for the axes; "(o0 + 1 - r0) / 2".
[[nodiscard]] std::string toString(const Index& index, std::span<const std::string> axisNames);

} // namespace kernelarium::algebra
