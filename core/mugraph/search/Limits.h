// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kernelarium::mugraph {

/// How far a search goes. Two searches of one problem with equal limits have the same units and the same results.
struct Limits {
    int operators = 12;          ///< of a µGraph, its inputs counted
    int unitDepth = 3;           ///< operators beside the inputs that a unit prescribes
    std::string device = "h200"; ///< whose shared memory and rates bound it: perf::findDeviceSpec()
    bool operator==(const Limits&) const = default;
};

/// What became of the extensions that were looked at. Every state but a unit's first was one of them.
struct Counts {
    std::uint64_t states = 0;     ///< graphs that were kept and looked at: a unit's own and all that it leads to
    std::uint64_t extensions = 0; ///< operators that were tried on a state; those of the next lines were dropped
    std::uint64_t expression = 0; ///< the result's abstract expression is no part of the task's
    std::uint64_t reach = 0;      ///< it has indices, or parts of a sum, that nothing could bring together any more
    std::uint64_t memory = 0;     ///< its tiles do not fit into shared memory however small they are
    std::uint64_t bound = 0;      ///< its arithmetic alone takes longer than the task takes formula by formula
    std::uint64_t redundant = 0;  ///< the graph has the same expression over the same indices already
    std::uint64_t unfinished = 0; ///< too few operators are left to use all that was computed
    Counts& operator+=(const Counts& other);
    bool operator==(const Counts&) const = default;
};

} // namespace kernelarium::mugraph
