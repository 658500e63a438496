// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "ui/desks/StepDesk.h"

#include <optional>

namespace kernelarium::ui {

/// Where to step through to see a fault: the first launch of its kernel whose grid has its block, its warp and line.
/// Empty where no launch of the verdict fits: the fault is not a kernel's.
[[nodiscard]] std::optional<StepTarget> targetOf(const verify::Verdict& verdict, const verify::Fault& fault);

} // namespace kernelarium::ui
