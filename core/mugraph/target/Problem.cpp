// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/target/Problem.h"

namespace kernelarium::mugraph {

AxisSet Problem::Tensor::axisSet() const {
    AxisSet set = 0;
    for (int axis : axes)
        if (axis >= 0) set |= axisBit(axis);
    return set;
}

} // namespace kernelarium::mugraph
