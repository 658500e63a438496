// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/candidates/Candidates.h"

#include <string>

namespace kernelarium::cli {

/// The candidates as a table, then what was refused.
[[nodiscard]] std::string candidatesText(const superopt::Candidates& candidates);
/// One of them: what it is, its launches' times, its levels, its evidence.
[[nodiscard]] std::string candidateText(const superopt::Candidates& candidates, const superopt::Candidate& candidate);

} // namespace kernelarium::cli
