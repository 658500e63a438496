// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/rewrite/Search.h"
#include "core/proof/Proof.h"

#include <functional>
#include <string>
#include <vector>

namespace kernelarium::proof {

/// A card's graph after some of a derivation's steps, held against the card's own.
struct Stage {
    /// What was done since the stage before: the names of the rules, first the one that the search chose, then those
    /// that tidied up after it.
    std::vector<std::string> rules;
    std::string detail; ///< of the chosen one
    Proof proof;
};

/// The stages of a derivation: the card's graph tidied up, and then after each rule that the search chose. The same
/// rules are applied at the same places at the sizes of the proof. One that is not offered there leaves the size out.
/// Stages before the last are given less work in float64, 1e7 points. `progress` is told the
/// number of the stage that begins, from 1, and how many there are.
/// Errors: as prove.
[[nodiscard]] Result<std::vector<Stage>>
proveDerivation(const task::Card& card, const algebra::Derivation& derivation, const perf::DeviceSpec& device,
                const algebra::SearchLimits& limits, const Options& options = {},
                const std::function<void(std::size_t, std::size_t)>& progress = {});

} // namespace kernelarium::proof
