// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::lesson {

// The names that a check block may use. Lessons lie below verification, so the first two are said again here; a test
// holds them to verify's.

/// Of verdicts, as verify::name(VerdictKind) writes them.
[[nodiscard]] std::span<const std::string_view> verdictNames();
/// Of their reasons and remarks, as verify::everyReason() lists them; ascending.
[[nodiscard]] std::span<const std::string_view> reasonNames();
/// Of figures of a run, in the order of figuresOf() in StepEvidence.h, which says what each is.
[[nodiscard]] std::span<const std::string_view> figureNames();

} // namespace kernelarium::lesson
