// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"

#include "core/kernelgen/convolution/ConvolutionEmitter.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

Result<Emitted> emitFused(const task::Card& card) {
    Result<Emitted> emitted = convolution::emitFile(card);
    if (emitted || emitted.error().code != "unsupported") return emitted;
    return Error{"unsupported", fmt::format("No fused form fits task {}. {}", card.key(), emitted.error().message),
                 "`superopt emit --naive` writes a kernel for each formula."};
}

} // namespace kernelarium::kernelgen
