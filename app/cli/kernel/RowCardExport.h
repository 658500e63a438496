// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelSource.h"

#include <memory>

namespace kernelarium::cli {

/// The card for an archive's row: the built-in one, or one exported from its PyTorch code, now if need be (said on
/// standard error). `python`: see tools::findPython(). Errors: those of tools::exportCard().
Result<std::shared_ptr<const task::Card>> rowCard(const audit::RowTask& row, const std::string& python);

} // namespace kernelarium::cli
