// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::session {

/// A shape and a word: "✓ verified". Escaped.
[[nodiscard]] std::string verdictHtml(std::string_view verdict);

/// What a verdict rests on: its message, the errors found, each check, the first faults. `verdictJson` is
/// verify::toJson(Verdict); text that is none gives a sentence that says so.
[[nodiscard]] std::string evidenceHtml(std::string_view verdictJson);

} // namespace kernelarium::session
