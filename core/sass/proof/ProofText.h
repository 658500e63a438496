// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/proof/ScheduleProof.h"

#include <string>

namespace kernelarium::sass {

/// The stamp: "PROVED: 1 kernel with changed code, ..." or "NOT PROVED, distance: ..." with the hazard in words.
[[nodiscard]] std::string proofLine(const ScheduleProof& proof);

/// The stamp, and in lines of their own what it takes for granted.
[[nodiscard]] std::string proofText(const ScheduleProof& proof);

} // namespace kernelarium::sass
