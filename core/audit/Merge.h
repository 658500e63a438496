// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/VerdictStore.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace kernelarium::audit {

/// Brings the verdicts of other audits, shards of one above all, into `target` (made when absent): files of verdicts,
/// and the lines that `audit --out` writes. Newer verdicts win, so the order does not matter, and a second merge
/// changes nothing. All or nothing: a damaged input leaves the target as it was.
/// Errors: those of VerdictStore; "bad_input" (an input is neither, or a line of it is damaged: named), "cancelled".
Result<VerdictStore::Merged> mergeVerdicts(const std::filesystem::path& target,
                                           const std::vector<std::filesystem::path>& inputs,
                                           const std::stop_token& stop = {});

} // namespace kernelarium::audit
