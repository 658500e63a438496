// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

Result<Emitted> emitFused(const task::Card& card) {
    return Error{"unsupported", fmt::format("No fused form fits task {}.", card.key()),
                 "`superopt emit --naive` writes a kernel for each formula."};
}

} // namespace kernelarium::kernelgen
