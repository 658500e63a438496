// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/perf/DeviceSpec.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace kernelarium::algebra {

/// What evaluating a graph takes at least, if every tensor is computed once, whole, by its formula, and nothing but
/// inputs and outputs ever leaves the chip.
struct Work {
    double flops = 0; ///< a multiply-add counts as two; of pointwise functions as core/task/OperatorCost counts them
    double productFlops = 0; ///< the part in sums of products
    double inputBytes = 0;   ///< distinct elements of inputs that are read
    double outputBytes = 0;
    /// Of each element type that formulas work in.
    std::map<tensor::DType, double> flopsByType, productFlopsByType;
    [[nodiscard]] double bytes() const { return inputBytes + outputBytes; }
};

/// Floating-point operations of one tensor's formula: points that matter (core/algebra/cost/Points.h), each with its
/// products and its addition. Sums in which one whole number picks one summand count one. A count that would take too
/// long counts as 0, since the figure is for a bound from below.
[[nodiscard]] double flopsOf(const Graph& graph, TensorId id);

/// Keeps the operations of formulas that were counted before: a search asks for the same ones again and again.
class WorkCounter {
public:
    [[nodiscard]] Work of(const Graph& graph);

private:
    /// All that a formula's count depends on, its sources' extents in the order of its reads.
    struct Known {
        Extents extents;
        std::vector<Extents> sources;
        Definition formula; ///< with 0 for each source
        double flops = 0;
        [[nodiscard]] bool isOf(const Graph& graph, const Tensor& tensor) const;
    };
    double counted(const Graph& graph, TensorId id);
    std::unordered_multimap<std::size_t, Known> m_known; ///< by a hash of some of it
};
[[nodiscard]] Work workOf(const Graph& graph);

/// Which arithmetic a sum of products may use.
enum class Arithmetic {
    own,  ///< the element type's: float32 outside the tensor cores, float16 and bfloat16 on them
    tf32, ///< float32 products on the tensor cores, their operands cut to 10 bits of mantissa
};

/// The least time in which a device can do the work, whatever the code:
///     max(bytes / bandwidth of device memory, FLOPs of the tensor cores / peak, sum of the others' FLOPs / peak).
/// A bound of this algorithm: one with less work may be faster. For calls that find a cold cache
/// (perf::PhysicalFloor is for calls that find their operands in L2).
struct Bound {
    double seconds = 0, memorySeconds = 0, arithmeticSeconds = 0;
    [[nodiscard]] bool isArithmetic() const { return arithmeticSeconds > memorySeconds; }
};
[[nodiscard]] Bound boundOf(const Work& work, const perf::DeviceSpec& device, Arithmetic arithmetic = Arithmetic::own);

} // namespace kernelarium::algebra
