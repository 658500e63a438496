// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// What a point of a sweep over several sizes gave at one of them.
struct SizeTime {
    std::string size;
    double seconds = 0; ///< modelled or measured
    bool verified = false;
    std::string verifiedAt; ///< the size at which its results were looked at
};

/// Of the details that PointEvaluation writes; empty for a sweep at one size. Sizes without a time are left out.
[[nodiscard]] std::vector<SizeTime> sizeTimesOf(const tuning::Judged& judged);

/// The fastest point of a size.
struct SizeBest {
    std::string size;
    const tuning::Judged* judged = nullptr; ///< one of those given; null: none counts
    SizeTime time;
    std::optional<double> startSeconds; ///< of the kernel as it stands
};

/// The best for each size: of the points that rank, one that was verified there (`verifiedOnly`), the first of equals.
[[nodiscard]] std::vector<SizeBest> bestForEachSize(const std::vector<std::string>& sizes,
                                                    const std::vector<tuning::Judged>& all, const std::string& start,
                                                    bool verifiedOnly);

} // namespace kernelarium::protocol
