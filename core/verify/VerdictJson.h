// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Verdict.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::verify {

/// The JSON of a verdict, as `verify --json` prints it:
///   verdict, stage, message, reasons[], remarks[], max_abs_error, max_rel_error, rms_error, reference_rms,
///   mismatch_share, first_mismatch {output, index[], expected, got},
///   last_writer {kind: "never", "kernel" or "call", kernel, block[3], thread[3], line, call} of that element,
///   error_map {output, shape[], rows, columns, cell_size[2], worst[]}, tolerance {strict, legacy},
///   faults[] {kind, message, kernel, block[3], thread[3], line, count, leaves_allocation},
///   checks[] {name, passed, state, detail, explanation, seconds, runs}, launches[] {kernel, grid[3], block[3],
///   dynamic_shared_bytes, stream, warp_instructions, thread_instructions, seconds}, launches_left_out and
///   printed_bytes_left_out (where there were too many for all to be kept), library_calls[], notes[], printed,
///   backend, size, reference, seed, fast_math, compiler_options and functions (where there are any), seconds {stage:
///   s}.
/// A number that does not exist is null; "nan", "inf" and "-inf" stand for what JSON has no number for. `passed` is
/// true, false, or null for a check that was not made; a remark counts as passed.
[[nodiscard]] nlohmann::json toJson(const Verdict& verdict);
[[nodiscard]] std::string readableJson(const Verdict& verdict); ///< the same as text, indented

/// Reads the same back. Error "bad_input" names what is wrong.
Result<Verdict> verdictFromJson(const nlohmann::json& json);
Result<Verdict> verdictFromText(const std::string& text);

[[nodiscard]] nlohmann::json toJson(const Launch& launch);
[[nodiscard]] nlohmann::json toJson(const Fault& fault);
void addLeftUnsaid(nlohmann::json& json, const LeftUnsaid& unsaid); ///< the two keys, where there is anything
[[nodiscard]] LeftUnsaid leftUnsaidFromJson(const nlohmann::json& json);
[[nodiscard]] Launch launchFromJson(const nlohmann::json& json); ///< throws nlohmann::json::exception
[[nodiscard]] Fault faultFromJson(const nlohmann::json& json);   ///< throws nlohmann::json::exception

/// A number, or one of the three words above.
[[nodiscard]] nlohmann::json numberToJson(double value);
[[nodiscard]] double numberFromJson(const nlohmann::json& json); ///< throws nlohmann::json::exception

} // namespace kernelarium::verify
