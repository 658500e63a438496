// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Expression.h"
#include "core/algebra/graph/Graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a convolution and what follows it are, as far as the text of a kernel depends on it. Ordinary and transposed
/// convolutions are one: both divide the outputs into cells, and every cell reads a window of inputs of one size.
namespace kernelarium::kernelgen::convolution {

/// One spatial axis. Output o meets kernel position k at input (scale * o + step * k + shift) / divisor where that is a
/// whole number: an ordinary convolution has the divisor 1, a transposed one the scale 1. A cell is `cell` neighbouring
/// outputs; cell j reads the inputs from advance * j + first on, `span` of them.
struct Axis {
    bool transposed = false;
    std::int64_t kernel = 1;
    std::int64_t scale = 1, step = 1, shift = 0, divisor = 1;
    std::int64_t extra = 0; ///< outputs beyond those that the formula gives: the output padding
    std::int64_t cell = 1, advance = 1, first = 0, span = 1;
    std::int64_t repeat = 1; ///< cells of a pool's window, where one alone would be too large

    /// The place among the cell's inputs that output `part` of the cell reads with kernel position k.
    [[nodiscard]] std::optional<std::int64_t> offset(std::int64_t part, std::int64_t k) const;
    /// Sets advance, first and span for cells of this many outputs; false where cells would differ from one another.
    [[nodiscard]] bool divide(std::int64_t outputs);
    /// Outputs of this many inputs.
    [[nodiscard]] std::int64_t outputs(std::int64_t inputs) const;
    bool operator==(const Axis&) const = default;
};

/// What a pointwise step reads.
struct Operand {
    enum class Kind {
        value,   ///< what the chain is given
        step,    ///< the result of step `index`
        scalar,  ///< a tensor of one element: Description::parameters[index]
        channel, ///< a tensor with one element for each filter, or for each of the others
        element, ///< a tensor with the extents of what the chain makes
        last,    ///< a tensor with one element for each place of the last axis
        mean,    ///< the norm's, of the element's image and filter
        scale,   ///< 1 / sqrt(variance + epsilon), likewise
        average, ///< what step `index` makes of the mean over space of the image and filter
    };
    Kind kind = Kind::value;
    std::size_t index = 0;
    bool operator==(const Operand&) const = default;
};

/// What a value exists once for, at a place.
enum class Each {
    filter,
    other, ///< a second extent in the filters' axis, given by a parameter, after the filters have been combined
    one,   ///< all together
};

/// A formula of a chain, by the name of the graph's tensor.
struct Step {
    std::string name;
    algebra::Expression body;
    std::vector<Operand> operands;                     ///< what the body's operand numbers mean
    algebra::Combine combine = algebra::Combine::none; ///< the body's values for all `over` become one by this
    bool mean = false;                                 ///< the sum is divided by their number
    Each over = Each::filter;                          ///< where it combines: what
    Each each = Each::filter;                          ///< what the result exists for
    bool operator==(const Step&) const = default;
};

/// Pointwise formulas, one after another; the last is the result, of none the value itself.
struct Chain {
    std::vector<Step> steps;
    [[nodiscard]] bool reads(Operand::Kind kind) const;
    [[nodiscard]] bool combinesFilters() const; ///< some step combines filters or others
    [[nodiscard]] Operand result() const {
        return steps.empty() ? Operand{} : Operand{Operand::Kind::step, steps.size() - 1};
    }
    bool operator==(const Chain&) const = default;
};
/// The steps of `b` after those of `a`.
[[nodiscard]] Chain joined(Chain a, const Chain& b);
/// Whether the result is factor * value + term, factor and term the same over a cell.
[[nodiscard]] bool isAffine(const Chain& chain);
/// Whether a larger value never gives a smaller result, whatever the parameters hold.
[[nodiscard]] bool isRising(const Chain& chain);

/// How the outputs of a cell become one.
enum class Pool { none, maximum, mean };

/// What becomes of the values of an image and a filter.
enum class Space {
    kept,
    sum,
    mean,
    moments, ///< sums and sums of squares, for a norm
    line,    ///< the slowest axis alone is combined
};

/// A norm in the chain: statistics of what the steps before it make, over space and more.
struct Norm {
    enum class Over {
        images,
        filtersOfGroup,
        space,
        lastAxis,            ///< that alone, nothing of space besides
    } over = Over::space;    ///< besides space
    std::int64_t groups = 1; ///< of filters, where it is over those of a group
    double epsilon = 0;
    std::size_t steps = 0; ///< of the chain, before it
    bool operator==(const Norm&) const = default;
};

/// What happens to values that have been stored, in a kernel of its own: where computing them twice would cost more
/// than reading them again.
struct Late {
    enum class Kind { none, norm, lastAxis, filters } kind = Kind::none;
    Chain chain;            ///< of each stored value
    Pool pool = Pool::none; ///< of the normed rows
    std::vector<std::int64_t> windows;
    Chain after; ///< of each pooled one
    bool operator==(const Late&) const = default;
};

struct Description {
    std::vector<Axis> axes;                 ///< two or three, the slowest first
    bool isLine = false;                    ///< of a convolution in one direction: the slower axis has one place
    std::int64_t convolutionGroups = 1;     ///< of channels, each with filters of its own
    std::string input, weight;              ///< names of the card's tensors
    std::int64_t channels = 1, filters = 1; ///< at the size that was looked at
    std::vector<std::string> parameters;    ///< names of the card's tensors that chains read
    Pool pool = Pool::none;
    bool combined = false;    ///< the mean of a cell is one convolution, with sums of the taps
    Chain before;             ///< of each output
    Chain after;              ///< of each pooled one
    std::optional<Norm> norm; ///< in the chain that is before the pool as the graph has it
    Chain normed;             ///< what it normalises, of each output
    Late late;
    std::optional<Norm> lateNorm; ///< of what is stored
    Space space = Space::kept;
    algebra::Combine line = algebra::Combine::none; ///< of the slowest axis
    bool lineMean = false;                          ///< its sum is divided by its extent
    Chain summary;                                  ///< of each image's and filter's sum or mean
    int summaryRank = 0;                            ///< axes of the result, where space is not kept
    bool overImages = false, imagesMean = false;    ///< at the end everything is added up, images too, or averaged
    enum class Result {
        perFilter,
        perOther,
        axisOfOne,
        noAxis
    } result = Result::perFilter;      ///< what becomes of the filters' axis
    std::optional<std::size_t> others; ///< the parameter that has as many elements as there are others
    std::vector<std::string> rewrites; ///< what was moved, in words

    [[nodiscard]] std::int64_t cellOutputs() const; ///< outputs of a cell, in all axes
    [[nodiscard]] std::int64_t repeats() const;     ///< cells of a pool's window, in all axes
    [[nodiscard]] const Chain& last() const { return pool == Pool::none ? before : after; }
    /// The chain of what is stored.
    [[nodiscard]] const Chain& stored() const { return space == Space::kept ? last() : summary; }
    bool operator==(const Description&) const = default;
};

/// The step of `chain` that is the logarithm of a sum of exponentials of `of`, where no other reads its maximum and its
/// sum: steps `maximum` and `sum` are then not needed.
struct LogSum {
    std::size_t maximum = 0, sum = 0, result = 0;
    Operand of;
};
[[nodiscard]] std::optional<LogSum> logSumOf(const Chain& chain);
/// Whether filters are combined as their values come, and none of them is needed afterwards.
[[nodiscard]] bool isStream(const Chain& chain);

/// Weights that a filter has for a channel.
[[nodiscard]] std::int64_t windowOf(const Description& d);

} // namespace kernelarium::kernelgen::convolution
