// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen::convolution {

/// A kernel file for a card that is one convolution and what follows it. Error "unsupported" names what does not fit.
[[nodiscard]] Result<Emitted> emitFile(const task::Card& card, const EmitOptions& options = {});

} // namespace kernelarium::kernelgen::convolution
