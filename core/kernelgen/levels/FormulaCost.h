// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <cstddef>
#include <set>

namespace kernelarium::kernelgen {

/// What one evaluation of a formula takes of a thread, in float32 as nvcc compiles it (CUDA's mathematical library
/// without -use_fast_math; counted in its PTX for sm_90, rounded).
struct FormulaCost {
    double flops = 0;      ///< a multiply-add counts as two
    double fp32 = 0;       ///< instructions
    double special = 0;    ///< instructions of the special function unit, divisions among them
    double addressing = 0; ///< instructions on whole numbers for the reads
    double slots = 0;      ///< issue slots of all but the addressing and the loads themselves
    FormulaCost& operator+=(const FormulaCost& more);
};

[[nodiscard]] FormulaCost costOf(const algebra::Expression& e);

/// Of one point of a definition: its body, what is written in place of its reads (of these tensors), and the step of
/// its combining.
[[nodiscard]] FormulaCost costOfPoint(const algebra::Graph& graph, algebra::TensorId id,
                                      const std::set<std::size_t>& inlined);

} // namespace kernelarium::kernelgen
