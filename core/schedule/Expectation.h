// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/explain/Explanation.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// What to expect of a search before it begins; all of it is read from the code and modelled.
struct Expectation {
    std::optional<int> warps;       ///< resident on one scheduler; nothing where the launch is not known
    int hotInstructions = 0;        ///< of the hot loop; of the whole kernel where there is none
    int movable = 0;                ///< of these, that may move at all
    std::vector<std::string> pipes; ///< that the hot loop keeps busy for a tenth of its turn or more
    std::string limit;              ///< "latency", "issue", or a pipe's name
    double latencyShare = 0; ///< one warp's turn over what all resident warps' issue takes: over 1, latency limits
    bool isWorthIt = false;  ///< few warps, a long hot loop of several pipes
    std::string words;       ///< a sentence or two for people
};

/// `nearRoof`: the share of the nearer roof (memory or arithmetic) that the kernel reaches, where it is known.
[[nodiscard]] Expectation expectationOf(const sass::Explanation& explanation, std::optional<int> warps,
                                        std::optional<double> nearRoof);

} // namespace kernelarium::schedule
