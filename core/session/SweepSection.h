// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"

#include <string>
#include <vector>

namespace kernelarium::session {

/// A parameter sweep that a report tells of.
struct ReportSweep {
    std::string label;    ///< of the kernel
    std::string task;     ///< "1/1"; empty: none
    std::string how;      ///< of its times: "modelled on NVIDIA H200, size full"
    std::string strategy; ///< with which it was begun
    bool measured = false;
    tuning::Space space;
    std::vector<tuning::Judged> points;
    std::vector<std::string> remarks; ///< on its best point, such as what its confirmation gave
    std::string problem;              ///< why it cannot be told of; all but the label may be missing then
};

/// How many points had which end, the best beside the kernel as it stood, the best so far over the looks as a picture,
/// what each parameter matters, the ten best points, and up to ten of those that were wrong, with the evidence.
[[nodiscard]] std::string sweepHtml(const ReportSweep& sweep);

} // namespace kernelarium::session
