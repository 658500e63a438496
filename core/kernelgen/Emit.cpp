// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"

namespace kernelarium::kernelgen {

const std::vector<Emitter>& emitters() {
    static const std::vector<Emitter> all{
        {"naive", "One kernel for each formula, one thread for each element.", true, emitNaive},
        {"fused", "Maps written where they are read; what reduces the same rows in one kernel.", true, emitFused},
        {"convolution", "A convolution and what follows it, in registers.", false, convolution::emitFile},
        {"product", "Matrix products in tiles, and attention, with what follows them in registers.", false,
         products::emitFile},
    };
    return all;
}

} // namespace kernelarium::kernelgen
