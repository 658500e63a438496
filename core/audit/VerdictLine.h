// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/audit/StoredVerdict.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace kernelarium::audit {

/// A verdict as one JSON object, which `audit --out` writes a line of:
///   level, task, name, code_hash, label, verdict, stage, message, reasons[], remarks[], max_abs_error, max_rel_error,
///   backend, size, seed, fast_math, time_limit, seconds, time_ms, versions {program, card, checks},
///   evidence {the verdict as core/verify/VerdictJson.h has it; null where there is none}.
[[nodiscard]] nlohmann::json toJson(const StoredVerdict& verdict); ///< without the evidence
[[nodiscard]] std::string toLine(const JudgedKernel& kernel);      ///< without the line end

/// Reads a line back. Error "bad_input" names what is wrong.
Result<JudgedKernel> verdictFromLine(std::string_view line);

} // namespace kernelarium::audit
