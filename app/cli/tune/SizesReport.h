// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "gpu/protocol/Sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// A table with a line for each size, and an empty line behind it; empty for one.
[[nodiscard]] std::string sizesText(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all);
/// [{size, start_ms, best (key or null), best_ms, verified_at}]
[[nodiscard]] nlohmann::json sizesJson(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all);

} // namespace kernelarium::cli
