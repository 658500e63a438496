// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/search/Progress.h"

#include <string>

namespace kernelarium::cli {

/// "200" (points), "90s", "10m", "1.5h"; empty: none. Error "bad_usage".
[[nodiscard]] Result<tuning::Budget> budgetOf(const std::string& text);

} // namespace kernelarium::cli
