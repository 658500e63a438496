// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/SizeTimes.h"
#include "gpu/protocol/Sweep.h"

#include <string>
#include <vector>

namespace kernelarium::protocol {

/// The best that is proven, as far as the sweep asked for proof, or null.
[[nodiscard]] const tuning::Judged* bestOf(const std::vector<tuning::Judged>& all);

/// The best for each size of a sweep over several; empty for one.
[[nodiscard]] std::vector<SizeBest> bestForEachSize(const SweepRequest& request,
                                                    const std::vector<tuning::Judged>& all);

/// What a sweep found, as one kernel file.
struct BestText {
    struct Version {
        std::string key;
        std::vector<std::string> sizes; ///< that it serves; empty for a sweep at one size
    };
    std::string text;
    std::vector<Version> versions;   ///< one at least
    std::vector<std::string> slower; ///< sentences: sizes whose best is compiled in another way
    text::CompilerSettings settings; ///< that it is compiled with
    bool fastMath = false;
};

/// The best point's text or, of a sweep over several sizes, one whose function takes the best of the size that it is
/// called with (core/tuning/emit/Dispatch.h). That one is compiled first, with the command (TrialJudge::Commands).
/// Errors: "nothing_found" (no point, or none at some size, has a time and right results), "not_mergeable", the
/// compiler's, "cancelled".
[[nodiscard]] Result<BestText> bestText(const SweepRequest& request, const std::vector<tuning::Judged>& all,
                                        const std::vector<std::string>& compileCommand, std::stop_token stop = {});

} // namespace kernelarium::protocol
