// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/perf/Counters.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace kernelarium::kernelgen {

/// How the threads of a launch walk the points of a definition.
struct Walk {
    /// What neighbouring threads have: neighbouring elements, each of which a thread makes alone; neighbouring terms of
    /// the element (or row) that a block makes; or neighbouring rows, along which each thread carries a prefix.
    enum class Lanes { elements, terms, rows } lanes = Lanes::elements;
    int vector = 1;     ///< neighbours that a thread has at a time: elements read in place are loaded together
    int sharing = 1;    ///< rows that a block makes side by side (Lanes::terms)
    bool stores = true; ///< the values are written to device memory
    bool again = false; ///< the launch has walked the same elements before: sectors come again
    double parts = 1;   ///< blocks that share the terms of an element (Lanes::terms)
};

/// What a launch would count, from formulas and index maps alone. The method:
///   FLOPs, points   exact by algebra (points outside a domain do not count); functions by what CUDA's library takes
///   lanes' bytes    points times reads; what does not depend on the sum is read once for its element
///   sectors         index maps evaluated for some warps, spread evenly, and scaled (all warps where they are few)
///   distinct bytes  the intervals that affine maps take over the grid, and over a block in its middle; strides that
///                   leave gaps are counted out, holes of triangles are not
///   L2              what blocks read, each byte once for every block; twice where it is walked again
///   instructions    a few for every read, sum, loop and axis: typical of what nvcc makes, within a factor of two
/// Nothing is run. tests/superopt compares it with what the emulator counts.
class AnalyticCounters {
public:
    /// `inlined`: tensors whose formulas are written where they are read.
    AnalyticCounters(const algebra::Graph& graph, const std::set<std::size_t>& inlined,
                     const std::array<std::int64_t, 3>& grid, const std::array<std::int64_t, 3>& block);

    /// A definition's values are made.
    void add(algebra::TensorId id, const Walk& walk);
    /// Values that a launch reads or writes side by side, beside formulas; `distinct` of them, all by default.
    void addTraffic(double elements, double elementBytes, bool isStore, double distinct = -1);
    /// Of threads: operations, float32 instructions, and issue slots of all of them.
    void addInstructions(double flops, double fp32, double slots);
    /// Bytes that the grid reads at least, beside those of add and addTraffic.
    void addDistinctBytes(double bytes) { m_counters.uniqueReadBytes += bytes; }
    [[nodiscard]] perf::LineCounters& totals() { return m_totals; }
    /// Steps in which all threads of each block wait for one another, with a load and a store of shared memory each.
    void addBlockSteps(double steps);

    [[nodiscard]] perf::LaunchCounters finish() const;

private:
    struct Span;
    struct Load;
    using Spans = std::vector<Span>;
    using Read = std::map<algebra::TensorId, Spans>;

    void visit(algebra::TensorId id, const std::vector<std::int64_t>& point, bool masked,
               std::vector<Load>& loads) const;
    /// Of each load of a point, in the order of visit: whether it is the same at all points of the sum.
    [[nodiscard]] std::vector<bool> fixedLoads(algebra::TensorId id) const;
    void sampleSectors(algebra::TensorId id, const Walk& walk, double steps);
    void spansOf(algebra::TensorId id, const Spans& space, Read& read) const;
    [[nodiscard]] Spans blockSpace(algebra::TensorId id, const Walk& walk) const;
    void countDistinct(algebra::TensorId id, const Walk& walk);
    void countInstructions(algebra::TensorId id, const Walk& walk);

    const algebra::Graph& m_graph;
    const std::set<std::size_t>& m_inlined;
    perf::LaunchCounters m_counters;
    perf::LineCounters& m_totals;
    std::map<algebra::TensorId, double> m_distinct; ///< sectors that the grid reads
    double m_blockBytes = 0;                        ///< that one block reads, each once
    double m_blocks = 1, m_threads = 1;
};

} // namespace kernelarium::kernelgen
