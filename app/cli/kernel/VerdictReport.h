// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "gpu/protocol/RunMessages.h"

#include <string>

namespace kernelarium::cli {

/// A verdict for people: the word first, then why, the checks with their marks, the first mismatch, faults with the
/// line of `source` they happened on, launches and times; with `explain`, also what each check
/// is for.
[[nodiscard]] std::string verdictText(const verify::Verdict& verdict, const std::string& label,
                                      const std::string& source, bool explain = false);

/// A single run for people.
[[nodiscard]] std::string runText(const protocol::RunSummary& run, const std::string& label, const std::string& source);

} // namespace kernelarium::cli
