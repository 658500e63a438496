// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/rewrite/Search.h"

#include <vector>

namespace kernelarium::algebra {

/// Whether it is one of searchedRules().
[[nodiscard]] bool isSearched(const Rule& rule);
/// The steps of a derivation that its search chose; the others tidied up after them.
[[nodiscard]] std::vector<Rewrite> chosenSteps(const Derivation& derivation);

/// A derivation's steps done again to the same task's graph at another size: the graph tidied up, and then after each
/// chosen step, as far as they are offered there. Several edits of a rule may be called the same: of these, those are
/// taken after which the steps to come are offered as well. Error "cancelled".
[[nodiscard]] Result<std::vector<Graph>> replayed(const std::vector<Rewrite>& chosen, const Graph& lowered,
                                                  const perf::DeviceSpec& device, const SearchLimits& limits = {});

} // namespace kernelarium::algebra
