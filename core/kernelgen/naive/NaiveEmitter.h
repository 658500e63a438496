// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen {

/// One kernel for each formula of the card's graph and one thread for each element: right, slow, and a start.
/// Errors: those of algebra::lower and of the rewriting; "unsupported" names what of the graph cannot be written for
/// every size.
[[nodiscard]] Result<Emitted> emitNaive(const task::Card& card, const EmitOptions& options = {});

} // namespace kernelarium::kernelgen
