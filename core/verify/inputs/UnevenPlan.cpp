// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/UnevenPlan.h"

namespace kernelarium::verify {

bool makeUneven(std::vector<TensorPlan>& plans) {
    using Kind = Distribution::Kind;
    bool any = false;
    int normals = 0;
    for (TensorPlan& plan : plans) {
        Distribution& d = plan.distribution;
        const bool input = !plan.isParameter && tensor::isFloating(plan.dtype);
        if (input && (d.kind == Kind::normal || d.kind == Kind::varied))
            d.ramp = {d.b / 2, 0.5, 4.5, normals++ % 2 ? Signs::negative : Signs::positive};
        if (input && d.kind == Kind::uniform && d.a >= 0) d.ramp = {0, 0.1, 1}; // stays where it may lie
        any = any || d.ramp.changesAnything();
    }
    return any;
}

} // namespace kernelarium::verify
