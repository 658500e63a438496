// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen {

/// Maps written where they are read and rows reduced together, where that fits the whole task; `skeleton` names the
/// form. A convolution has a form of its own (convolution::emitFile). Errors as emitNaive's; "unsupported" where no
/// form fits, naming what of the graph none has.
[[nodiscard]] Result<Emitted> emitFused(const task::Card& card, const EmitOptions& options = {});

} // namespace kernelarium::kernelgen
