// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/strategies/Strategy.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A strategy as people choose it.
struct StrategyKind {
    std::string_view name;    ///< "local-search"
    std::string_view title;   ///< "Local search"
    std::string_view purpose; ///< when to take it, in one sentence
};

/// In the order in which they are offered: the first is the one to take unless one knows better.
[[nodiscard]] std::span<const StrategyKind> strategyKinds();

/// `efforts`: those that the evaluation tells apart, the last being 1; only successive halving makes use of others.
/// Error "bad_input" for a name that is none, or efforts that do not rise to 1.
[[nodiscard]] Result<std::unique_ptr<Strategy>> makeStrategy(std::string_view name, std::vector<double> efforts = {1});

} // namespace kernelarium::tuning
