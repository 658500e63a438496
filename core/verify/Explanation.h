// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"

#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// What a check of this name (CheckReport::name) is for, in words for a reader who has not met it: how a kernel gets
/// past others, and what is done here. Empty for a name that no check has.
[[nodiscard]] std::string_view explanationOf(std::string_view check);

/// Every name that a verdict's reasons and remarks may have: those of compile errors, of how a run ended, and of the
/// checks. Of memory_faults' kinds of faults those that the emulator reports.
[[nodiscard]] std::vector<Reason> everyReason();

} // namespace kernelarium::verify
