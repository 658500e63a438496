// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <string>
#include <string_view>

namespace kernelarium::session {

/// "2026-03-01 14:05 UTC".
[[nodiscard]] std::string utcText(std::int64_t milliseconds);

/// Mark, number, unit and where it comes from: a hollow circle for archived, filled for measured, dashed for
/// modelled.
[[nodiscard]] std::string timingHtml(const Timing& timing);

} // namespace kernelarium::session
