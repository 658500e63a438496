// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::ceilings {

/// What every ceiling kernel takes. `count` and what goes to `out` are said at each of them.
struct CeilingArguments {
    unsigned long long in = 0;
    unsigned long long out = 0;
    unsigned long long count = 0;
    unsigned iterations = 1;
    unsigned seed = 0; ///< of the tensor cores' operands; 0: all of them are one
    float factor = 0;
    float term = 0;
};

} // namespace kernelarium::ceilings
