// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "core/archive/store/Archive.h"

namespace kernelarium::cli {

/// What is said of a text that a kernel does not have.
Error noSuchText(const archive::KernelSummary& kernel, archive::TextKind kind);

/// Prints one of a kernel's profiles as tables, or its values with --json; the exit code.
int showProfile(Context& context, archive::Archive& opened, const archive::KernelSummary& kernel,
                archive::TextKind kind);

} // namespace kernelarium::cli
