// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/Proof.h"
#include "core/superopt/search/UnitSource.h"

namespace kernelarium::superopt {

/// A proof as a climb. A graph that an exact rung let pass and float64 refuses is a fault of ours: one of the two is
/// wrong.
[[nodiscard]] Climb climbOf(const proof::Proof& proof);

} // namespace kernelarium::superopt
