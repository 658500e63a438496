// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "app/cli/kernel/EmittedText.h"

namespace kernelarium::cli {

/// Prints diagnostics ("file:line:column: severity: text", standard error), then the resources of every kernel as a
/// table, or the emitted form; with --json one document instead. Returns the exit code: exitCheckFailed when the unit
/// does not compile, exitMissingComponent when SASS is wanted and nvdisasm is absent.
int printCompiled(Context& context, const compile::CompiledUnit& unit, Emit emit, const compile::Toolkit& toolkit);

} // namespace kernelarium::cli
