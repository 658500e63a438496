// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"
#include "core/verify/Comparison.h"
#include "core/verify/Runner.h"
#include "gpu/compile/CompiledUnit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Archives do not name the GPU of their times (the published one: an H100). Claims are held against the fastest that
/// it may have been, so that none is called impossible that was not.
inline constexpr const char* archivesDevice = "h200";

/// A time that somebody claims for one call at the published size.
struct TimeClaim {
    double milliseconds = 0;
    std::string device; ///< id or name of a device specification
    std::string source; ///< "the archive"
};

/// How long a program with a main of its own may run where nobody says: they repeat what they do, for a GPU.
inline constexpr std::chrono::minutes programTimeLimit{10};

/// Parameters of the run child's methods "run" and "verify". No file names: everything travels.
///   unit            a compiled unit with its "ptx"
///   card            the task's card as JSON, or null
///   backend         where kernels run: "emulator" (when missing) or "cuda", which needs the unit's "cubin" too
///   size            which of the card's sizes: "small" or "full"; KernelClient::verify takes "both" as well
///   function        of the unit's module, called in forward's stead; empty (when missing): `forward`, or the only one
///   arguments       forward's arguments as text (core/verify/inputs/ArgumentText.h); used without a card
///   outputs         with a card: numbers of the function's parameters that it writes, in place of returning them
///   program_arguments  argv of the main of a unit that is a program
///   reference_unit  another kernel as the reference instead of the card's graph, or null; reference_name its name
///   claim           {milliseconds, device, source}: a time claimed for one call at the published size on a device
///                   (core/perf/DeviceSpec.h), or null
///   counters        whether the result carries `counters`: core/perf/Counters.h of each launch
///   exact_sums      whether the emulator adds products of matrix instructions bit for bit as a GPU does
///   explain         whether a verdict that is not right says who wrote the first wrong element, and where errors are
///   seed, checks, may_leave_blocks_out, jobs, gpu_bytes, time_limit_ms
struct RunParameters {
    std::shared_ptr<const compile::CompiledUnit> unit; ///< never null in a request
    std::string backend = "emulator";
    std::shared_ptr<const task::Card> card = {}; ///< null: `arguments`
    std::string size = "small";
    std::string function = {};
    std::vector<std::string> arguments = {};
    std::vector<std::size_t> outputs = {};          ///< rising
    std::vector<std::string> programArguments = {}; ///< argv of a program's main
    std::shared_ptr<const compile::CompiledUnit> referenceUnit = {};
    std::string referenceName = {};
    std::optional<TimeClaim> claim = {};
    std::uint64_t seed = 1;
    bool checks = true;
    bool mayLeaveBlocksOut = true; ///< of "verify" at the published size (core/verify/ShareOfBlocks.h)
    bool explain = true;           ///< verify::VerifyOptions::explain
    bool counters = false;
    bool exactSums = false;
    unsigned jobs = 0;          ///< 0: as many as there are cores
    std::uint64_t gpuBytes = 0; ///< of device memory that may be used on a GPU; 0: what is free
    std::chrono::milliseconds timeLimit{60000};
};

[[nodiscard]] nlohmann::json toJson(const RunParameters& parameters);
/// Errors: "bad_request"; of a card "bad_card".
Result<RunParameters> runParametersFromJson(const nlohmann::json& json);

/// One output tensor of a run in figures. Over finite elements, except for the counts.
struct TensorSummary {
    std::string dtype;
    tensor::Shape shape;
    double smallest = 0;
    double largest = 0;
    double mean = 0;
    double rms = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::vector<double> first; ///< the first elements, at most 8
    std::string digest;        ///< of all bytes: equal where every bit is
};

/// Result of "run".
struct RunSummary {
    std::string end; ///< "finished", or verify::RunEnd's name
    std::string reason;
    std::vector<TensorSummary> outputs;
    std::vector<std::optional<std::int64_t>> firstUnwritten;
    std::vector<std::string> guardViolations;
    std::vector<verify::Launch> launches;
    verify::LeftUnsaid unsaid;
    std::vector<perf::LaunchCounters> counters; ///< where they were asked for
    std::vector<verify::Fault> faults;
    std::vector<std::string> libraryCalls;
    std::vector<std::string> notes; ///< what a reader should know of how it ran, a sentence each
    std::optional<int> exitCode;    ///< of a program
    std::string printed;
    std::string backend;
    std::string size;
    std::uint64_t seed = 0;
    std::uint64_t peakBytes = 0;
    double seconds = 0;
};

[[nodiscard]] TensorSummary summarise(const tensor::Tensor& tensor);
[[nodiscard]] std::string_view name(verify::RunEnd end);
[[nodiscard]] nlohmann::json toJson(const RunSummary& summary);
Result<RunSummary> runSummaryFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
