// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/DrawnInputs.h"
#include "gpu/device/timing/RaceBench.h"
#include "gpu/protocol/schedules/RaceMessages.h"
#include "gpu/service/GpuTarget.h"
#include "gpu/service/Server.h"

namespace kernelarium::service {

/// The run child's method "time" (TimeParameters, TimeSummary): whole calls of forward on the GPU. What the
/// fewest samples that count say comes before as a partial result, a TimeSummary, too (not in mode "server"). What it
/// is called with comes out of `inputs`. Errors: those of GpuTarget::open and device::KernelTimer.
Result<nlohmann::json> timeKernel(GpuTarget& gpu, verify::DrawnInputs& inputs, const protocol::Request& request,
                                  const Service::Progress& progress, std::stop_token stop);

/// What stays on the GPU between races against the same original on the same inputs.
struct KeptBench {
    std::string key;  ///< the request without its candidate and its rule; empty: none
    std::string name; ///< that the request has given it
    std::unique_ptr<device::RaceBench> bench;
    std::string device, driver;
};

/// The run child's method "race" (RaceParameters, RaceSummary): two kernels in pairs, and whether their outputs have
/// the same bits. Where the bench of the last race serves this one, too, or the request is not to run both apart, the
/// candidate takes the original's place in what a bench keeps. Errors: as of timeKernel().
Result<nlohmann::json> raceKernels(GpuTarget& gpu, verify::DrawnInputs& inputs, KeptBench& kept,
                                   const protocol::Request& request, const Service::Progress& progress,
                                   std::stop_token stop);

/// The run child's method "race_again" (NextRace, RaceSummary). Errors: "unknown_bench", else as of raceKernels().
Result<nlohmann::json> raceAgain(KeptBench& kept, const protocol::Request& request, std::stop_token stop);

/// The run child's method "measure" (no parameters; result: core/perf/MeasuredCeilings.h): what the GPU reaches at
/// best. Errors: those of GpuTarget::open and device::measureCeilings.
Result<nlohmann::json> measureGpu(GpuTarget& gpu, const Service::Progress& progress, std::stop_token stop);

} // namespace kernelarium::service
