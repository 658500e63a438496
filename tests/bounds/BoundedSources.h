// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// A source that would take all the memory or time that there is.
struct GreedySource {
    const char* name;
    std::string text;
    /// How it ends, any of these: a RunSummary's `end`, or an error's code.
    std::vector<std::string> ends;
    std::string says = {}; ///< part of the answer
};

/// Whose run does not end by itself, or takes more than 512 MB.
std::vector<GreedySource> greedyRuns();
/// Which take the compiler, or ptxas, more than 768 MB.
std::vector<GreedySource> greedyCompilations();
