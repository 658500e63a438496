// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Axes.h"
#include "core/perf/DeviceSpec.h"

#include <optional>

namespace kernelarium::kernelgen::graphs {

/// What one launch is thought to take with these sizes: memory's and L2's time by mugraph::TileModel, the issue slots
/// of what its threads do, and the latency of a block's steps where few blocks hide it. It chooses among sizes, and
/// says nothing else. Nothing where they do not fit.
[[nodiscard]] std::optional<double> expectedSeconds(const Subject& subject, const mugraph::TileModel& model,
                                                    const perf::DeviceSpec& device);

/// The fastest sizes by that. `most`: of each axis the largest extent that the file must take. Nothing where none fit.
[[nodiscard]] std::optional<Sizes> sizesFor(Subject subject, const perf::DeviceSpec& device,
                                            const std::vector<std::int64_t>& most);

} // namespace kernelarium::kernelgen::graphs
