// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/FaultTarget.h"

namespace kernelarium::ui {

std::optional<StepTarget> targetOf(const verify::Verdict& verdict, const verify::Fault& fault) {
    for (std::size_t k = 0; k < verdict.launches.size(); ++k) {
        const verify::Launch& l = verdict.launches[k];
        const bool hasBlock = fault.block[0] < l.grid[0] && fault.block[1] < l.grid[1] && fault.block[2] < l.grid[2];
        if (l.kernel != fault.kernel || !hasBlock) continue;
        const std::uint32_t thread = fault.thread[0] + l.block[0] * (fault.thread[1] + l.block[1] * fault.thread[2]);
        StepTarget target;
        target.request.launch = std::uint32_t(k);
        target.request.block = fault.block;
        target.request.warp = thread / recording::laneCount;
        target.request.line = fault.line;
        target.lane = int(thread % recording::laneCount);
        return target;
    }
    return std::nullopt;
}

} // namespace kernelarium::ui
