// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Search.h"
#include "core/tuning/store/Header.h"

#include <filesystem>
#include <string>

namespace kernelarium::protocol {

/// What an earlier sweep of the same points says of them: a modelled one of a measured one, above all, so that no GPU
/// is kept busy with what nodes without one have ruled out.
struct EarlierSweep {
    std::filesystem::path store; ///< empty: there is none
    /// Points that it found slower than so many times its best are left out; 0: none is for its time. Half of the
    /// modelled times are within a factor of two of the measured ones, so that at 4 both have to be wrong by that.
    double within = 4;
    bool operator==(const EarlierSweep&) const = default;
};

/// Refuses what it found refused or wrong, or too slow, with its words; `always` is never too slow. Then asks `next`
/// (may be empty). Errors: those of StoreReader; "other_search": not of the same text, space, task, architecture and
/// options as `wanted`.
[[nodiscard]] Result<tuning::Filter> earlierFilter(const EarlierSweep& earlier, const tuning::Header& wanted,
                                                   const std::string& always, tuning::Filter next);

} // namespace kernelarium::protocol
