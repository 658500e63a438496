// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Evaluation.h"
#include "core/perf/ModelledTime.h"

#include <span>

namespace kernelarium::lesson {

/// Counters as conditions name them: the totals of all launches, by the keys of perf::metrics().
[[nodiscard]] std::map<std::string, double> countersOf(std::span<const perf::LaunchCounters> launches);

[[nodiscard]] StepEvidence::Time timeOf(const perf::ModelledTime& time, std::string size);

} // namespace kernelarium::lesson
