// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace kernelarium::verify {

/// What signs drawn elements get.
enum class Signs {
    drawn,     ///< as drawn
    positive,  ///< none is negative
    negative,  ///< none is positive
    stretches, ///< of 251 elements side by side, in turn: none negative, none positive, and twice as drawn
};

/// What is done to drawn elements by their place: v becomes f * (v + shift), and then gets the sign that `signs` says.
/// f is from + (to - from) * the mean of u^4 over the last `dimensions` dimensions, u in (0, 1] being how far the
/// element is along one: most of the weight lies at the ends.
struct Ramp {
    static constexpr std::size_t dimensions = 8;
    double shift = 0;
    double from = 1;
    double to = 1;
    Signs signs = Signs::drawn;
    bool operator==(const Ramp&) const = default;
    [[nodiscard]] bool changesAnything() const { return shift != 0 || from != 1 || to != 1 || signs != Signs::drawn; }
};

/// How the elements of a tensor are drawn.
struct Distribution {
    enum class Kind {
        normal,          ///< mean `a`, standard deviation `b`
        uniform,         ///< in [a, b)
        integer,         ///< whole numbers from a to b, both included, all equally likely
        constant,        ///< `a`
        boolean,         ///< 1 with probability `a`, else 0
        sign,            ///< -1 or 1
        probabilities,   ///< softmax of standard normal numbers along the last dimension
        upperTriangular, ///< normal (a, b) on and above the diagonal of the last two dimensions, else 0
        lowerTriangular, ///< the same below
        symmetric,       ///< (X + X^T) / 2 over the last two dimensions, X normal (a, b sqrt 2)
        causalMask,      ///< 1 on and below the diagonal of the last two dimensions, else 0
        varied, ///< normal (a, b), each slice of the first dimension times a factor in [1/2, 2) plus b * [-1, 1)
        variedProbabilities, ///< softmax along the last dimension of numbers drawn as `varied`, a = 0, b = 1
        values,              ///< the numbers in `values`, repeated to the end, on every stream
    };
    Kind kind = Kind::normal;
    double a = 0;
    double b = 1;
    std::vector<double> values = {};
    Ramp ramp = {}; ///< of elements drawn one by one or `varied`
    bool operator==(const Distribution&) const = default;
};

} // namespace kernelarium::verify
