// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::proof {

/// What a rewritten graph is held against the task's own by, from the cheapest to the dearest. (The next ones are not
/// here: core/verify judges the kernel that is written from the graph.)
enum class Rung {
    field,   ///< both computed in a finite field at points drawn at random: rational functions, exponentials
    keyed,   ///< with functions that no field knows chosen by a key, maximum and minimum by a keyed order
    ordered, ///< at small rational numbers, exactly, in the order of the real numbers
    float64, ///< both in float64 on the card's own inputs, against the card's evaluation as well
    range,   ///< the largest values that the tensors take, over the card's inputs and uneven ones
};
[[nodiscard]] std::string_view name(Rung rung); ///< "field", "keyed", "ordered", "float64", "range"

enum class Outcome {
    passed,
    failed,       ///< the two differ, and `counterexample` says where; or a stored value overflows
    doesNotApply, ///< says nothing either way; `reason` says why
};
[[nodiscard]] std::string_view name(Outcome outcome); ///< "passed", "failed", "does_not_apply"

/// An element of an output in which the two differ.
struct Counterexample {
    std::size_t output = 0;            ///< which of the outputs
    std::vector<std::int64_t> element; ///< its place
    std::string expected, got;         ///< what the original and the rewritten graph give there
    std::uint64_t seed = 0;            ///< with `draw`, what reproduces it
    std::uint64_t draw = 0;            ///< number of the draw
    std::string size;                  ///< "tiny", "small", "odd", ...
};

/// What one rung found.
struct Evidence {
    Rung rung = Rung::field;
    Outcome outcome = Outcome::doesNotApply;
    std::string reason;               ///< of what does not apply or failed; empty otherwise
    std::string drawn;                ///< what was drawn, how often, at which extents
    std::string covers;               ///< what it says where it passed
    std::string leavesOut;            ///< what it does not say
    std::size_t draws = 0;            ///< that counted
    std::size_t voidDraws = 0;        ///< drawn again: a divisor of 0, an order that could not be told
    std::size_t exponentials = 0;     ///< k: most exponentials that one output element depends on
    std::optional<double> degree;     ///< of the difference as a rational function, at most
    std::optional<double> errorBound; ///< probability that graphs that differ there pass all draws; at most. 1: nothing
                                      ///< is known. Absent where none is stated
    std::optional<Counterexample> counterexample;
    std::vector<std::string> remarks; ///< said, without weight in the outcome
    double seconds = 0;
};

[[nodiscard]] nlohmann::json toJson(const Evidence& evidence);

} // namespace kernelarium::proof
