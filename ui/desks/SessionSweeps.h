// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/SweepSection.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <vector>

namespace kernelarium::ui {

/// The sweeps of a folder's stores that looked at a point between two times (milliseconds since 1970), in the order of
/// their first points. A store that cannot be read is among them with its problem. Blocks; an empty list when stopped.
[[nodiscard]] std::vector<session::ReportSweep> sweepsBetween(const std::filesystem::path& folder, std::int64_t begin,
                                                              std::int64_t end, const std::stop_token& stop);

} // namespace kernelarium::ui
