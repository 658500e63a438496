// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Roofline.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// One time of one kernel under the roofs.
struct RooflineMark {
    std::string label;
    std::string origin; ///< "archived", "measured", "modelled"
    bool right = true;  ///< whether it is said to be right; crossed out otherwise
    perf::Work work;
};

struct RooflineChart {
    std::string title;
    perf::Roofline datasheet;
    std::optional<perf::Roofline> measured;
    std::vector<std::string> distrusted; ///< names of measured roofs that are not to be believed
    std::vector<RooflineMark> marks;
};

/// A chart as a self-contained SVG document: log axes, dashed roofs of the data sheet, solid measured ones,
/// hollow marks for archived times, filled for measured, dashed for modelled ones. Marks without FLOPs or
/// bytes are left out.
[[nodiscard]] std::string rooflineSvg(const RooflineChart& chart);

} // namespace kernelarium::cli
