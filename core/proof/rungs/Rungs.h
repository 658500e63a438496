// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/proof/analysis/Degree.h"
#include "core/proof/analysis/Features.h"
#include "core/proof/evidence/Evidence.h"
#include "core/proof/evidence/Options.h"
#include "core/task/Card.h"

namespace kernelarium::proof {

/// Two graphs at one size, over the same inputs.
struct Pair {
    const algebra::Graph& original;
    const algebra::Graph& rewritten;
    Features features; ///< of both
    /// For each tensor of the rewritten graph the one of the original that is the same formula over the same tensors.
    std::vector<std::optional<algebra::TensorId>> twins;

    Pair(const algebra::Graph& first, const algebra::Graph& second);
    [[nodiscard]] std::string extents() const; ///< "outputs [2, 3, 5, 5]"
};
/// Whether both are sound, have outputs of the same extents, and inputs that agree where both have them.
[[nodiscard]] Result<void> checkPair(const algebra::Graph& original, const algebra::Graph& rewritten);

[[nodiscard]] Evidence fieldRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options);
[[nodiscard]] Evidence keyedRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options);
[[nodiscard]] Evidence orderedRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options);

/// A card at one size with both graphs.
struct Sized {
    std::string size;
    task::Card card; ///< has this size
    algebra::Graph original, rewritten;
};
[[nodiscard]] Result<Evidence> float64Rung(const std::vector<Sized>& sizes, const Options& options);
[[nodiscard]] Result<Evidence> rangeRung(const std::vector<Sized>& sizes, const Options& options);

/// The place of an element in row-major order, along each axis.
[[nodiscard]] std::vector<std::int64_t> placeOf(std::size_t element, const algebra::Extents& extents);

} // namespace kernelarium::proof
