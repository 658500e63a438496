// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Candidate.h"

#include <stop_token>

namespace kernelarium::tuning {

/// Evaluates a candidate, again while it fails and `tries` are left. An outcome that is valued has a finite value:
/// another cannot be ranked, nor kept in JSON, and is a failure. Errors: the evaluation's.
[[nodiscard]] Result<Outcome> lookAt(Evaluation& evaluation, const Candidate& candidate, unsigned tries,
                                     const std::stop_token& stop);

} // namespace kernelarium::tuning
