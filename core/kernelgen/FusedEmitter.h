// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen {

/// The best fused form that fits the whole task; `skeleton` names it. Errors as emitNaive's; "unsupported" where no
/// form fits, naming what of the graph none has.
[[nodiscard]] Result<Emitted> emitFused(const task::Card& card);

} // namespace kernelarium::kernelgen
