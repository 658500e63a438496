// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/Toolkit.h"
#include "gpu/protocol/schedules/AssembleMessages.h"

#include <stop_token>

namespace kernelarium::service {

/// Method "assemble" of the compile child: protocol::AssembleParameters says what it takes and gives. The unit has a
/// cubin and its kernels' resources, and nothing else.
Result<compile::CompiledUnit> assemble(const compile::Toolkit& toolkit, const protocol::AssembleParameters& parameters,
                                       const std::stop_token& stop);

} // namespace kernelarium::service
