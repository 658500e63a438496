// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Evaluation.h"
#include "core/perf/ModelledTime.h"

#include <span>

namespace kernelarium::lesson {

/// Counters as conditions name them: the totals of all launches, by the keys of perf::metrics().
[[nodiscard]] std::map<std::string, double> countersOf(std::span<const perf::LaunchCounters> launches);

/// Figures of a run as conditions name them (KnownNames.h, figureNames):
///   launches             how many kernels were launched
///   and of the launch that takes longest:
///   blocks               of its grid
///   threads_per_block
///   registers            of a thread, from ptxas
///   shared_bytes         of a block, static and dynamic
///   spill_bytes          of a thread, as ptxas says it
///   occupancy            percent: resident warps of those that a multiprocessor holds at most
///   waves                grid / blocks that the device holds at a time
///   idle_share           percent of the device that the grid leaves without work while it runs
///   and of all launches:
///   device_bytes         modelled traffic of device memory
///   intensity            FLOP for each of these bytes: where the run stands on the roofline's axis
///   bank_conflicts       wavefronts of shared memory for each that would do; left out where there is none
///   active_lanes         of 32, on average over the warp instructions
///   tensor_share         percent of the FLOP that the tensor cores do; left out where there is none
[[nodiscard]] std::map<std::string, double> figuresOf(std::span<const perf::LaunchCounters> launches,
                                                      const perf::ModelledTime& time);

[[nodiscard]] StepEvidence::Time timeOf(const perf::ModelledTime& time, std::string size);

} // namespace kernelarium::lesson
