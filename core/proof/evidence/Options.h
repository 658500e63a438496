// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>

namespace kernelarium::proof {

/// How far the rungs go.
struct Options {
    std::uint64_t seed = 1;
    std::size_t draws = 64; ///< of the rungs field, keyed and ordered; more where the theorem about exponentials asks
    std::size_t mostDraws = 256; ///< of the rung field
    double largestError = 1e-9;  ///< that the rung field aims at
    /// Largest difference over the largest value; more where the inputs' last bit moves the card's own graph as far.
    double float64Distance = 1e-9;
    /// Points of formulas (algebra::evaluationWork) that one rung may visit: of draws together, and of float64 at one
    /// size, ten times as many at the smallest. What needs more does fewer draws, or leaves the size out, and says so.
    double mostFieldWork = 1e7;
    double mostFloat64Work = 5e7;
    /// Names of the rewritten graph's tensors that will be kept in memory in their type; empty: all that have no
    /// counterpart of the same name in the card's graph, or one that stays in range there.
    std::set<std::string> stored;
    std::stop_token stop;
};

/// How an input's elements may be drawn, by Input::cardTensor.
struct InputKind {
    enum class Kind {
        free,     ///< any number
        positive, ///< as a real number; any element of a field
        integers, ///< whole numbers from low to high
        signs,    ///< -1 or 1
    };
    Kind kind = Kind::free;
    std::int64_t low = 0, high = 0;
};
} // namespace kernelarium::proof
