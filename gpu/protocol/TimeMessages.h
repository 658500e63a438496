// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "core/perf/Samples.h"
#include "gpu/protocol/RunMessages.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Parameters of the run child's method "time": those of "run" (backend "cuda"; checks, counters, claim and reference
/// do not count), and
///   mode            "cold", "hot" or "server" (gpu/device/timing/Timing.h)
///   rate, requests  of "server": requests per second, and how many
///   sample_seconds  how long samples are taken at most
///   energy          whether the energy of a call is measured, which takes a second more
///   baselines       what else is timed for the same task: "none", "libraries" (cuBLAS or cuDNN), "torch" (native and
///                   compiled) or "all"
///   python          the Python with PyTorch: a path or a name on PATH; empty: one is looked for
///   against         another compiled unit, to be compared with in pairs, or null; against_name its name
struct TimeParameters {
    RunParameters run;
    std::string mode = "cold";
    double rate = 100;
    std::size_t requests = 300;
    double sampleSeconds = 5;
    bool energy = true;
    std::string baselines = "none";
    std::string python = {};
    std::shared_ptr<const compile::CompiledUnit> against = {};
    std::string againstName = {};
};

[[nodiscard]] nlohmann::json toJson(const TimeParameters& parameters);
Result<TimeParameters> timeParametersFromJson(const nlohmann::json& json);

/// Times closer than a tick of the GPU's event clock are equal.
inline constexpr double eventResolution = 0.5e-6;

/// One kernel, copy or fill of a forward. Seconds, as everywhere below.
struct TimedStep {
    std::string name;
    bool isKernel = false;
    std::array<std::uint32_t, 3> grid{}, block{};
    double seconds = 0;
};

/// What timing in pairs with another kernel gave.
struct PairedSummary {
    std::string name;        ///< of the other kernel
    perf::PairedTimes times; ///< the first is the kernel itself
    std::vector<perf::TimedPair> pairs;
};

/// How long something else takes for the same task on the same GPU.
struct BaselineSummary {
    std::string name;    ///< "cuBLAS", "PyTorch native", "PyTorch compile"
    std::string version; ///< of the library
    std::string mode;    ///< as of the kernel: "cold", "hot", "server"
    std::string remark;  ///< why there are no samples, or what a reader should know; may be empty
    std::vector<perf::Sample> samples;
    double highestClockMHz = 0;
    perf::SampleSummary summary; ///< of the samples
};
[[nodiscard]] nlohmann::json toJson(const BaselineSummary& baseline);
/// Throws what nlohmann::json does, and std::invalid_argument.
[[nodiscard]] BaselineSummary baselineFromJson(const nlohmann::json& json);

/// Result of "time".
struct TimeSummary {
    std::string end = "finished"; ///< or verify::RunEnd's name: no samples then
    std::string reason;
    std::string device; ///< "NVIDIA H200"
    std::string arch;
    std::string driver; ///< "580.65.06"; the newest CUDA version that it runs where the version is not told
    std::string mode, size;
    std::uint64_t seed = 0;
    std::int64_t dateMs = 0; ///< since 1970, UTC
    bool deviceOnly = true;  ///< else host code's time is in it
    std::vector<perf::Sample> samples;
    perf::SampleSummary summary; ///< of them
    double highestClockMHz = 0;
    std::vector<double> serviceSeconds; ///< in mode "server"
    std::vector<TimedStep> steps;
    std::uint64_t peakBytes = 0;
    std::optional<double> joulesPerCall;
    std::uint64_t comparedElements = 0, differingElements = 0; ///< see device::TimingResult
    std::vector<std::string> remarks;
    std::optional<PairedSummary> against;
    std::vector<BaselineSummary> baselines;
};

[[nodiscard]] nlohmann::json toJson(const TimeSummary& summary);
/// The summary is computed again from the samples. Error "protocol".
Result<TimeSummary> timeSummaryFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
