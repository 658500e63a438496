// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/perf/MultiprocessorLimits.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::perf {

/// Dense rates of the tensor cores, multiply-adds counted as two. 0 where the device has no such mode.
struct TensorRates {
    double fp16 = 0; ///< FLOP/s with float32 accumulation; bfloat16 has the same rate on every device that has it
    double tf32 = 0;
    double fp64 = 0;
    double fp8 = 0;
    double int8 = 0;  ///< OP/s
    bool bf16 = true; ///< whether bfloat16 exists (not on Turing)
};

/// Results of one multiprocessor in one clock: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
/// Instructions".
struct ClockRates {
    double issue = 4;  ///< warp instructions
    double fp32 = 128; ///< thread results, as all below
    double fp64 = 64;
    double fp16 = 128; ///< results of half2 instructions, each lane's pair counted as one
    double int32 = 64;
    double special = 16;   ///< sin, ex2, rcp, rsqrt, ...
    double loadStore = 32; ///< lanes addressed
    double sharedBytes = 128;
    double l1Bytes = 128;
};

/// One GPU as its maker describes it. Rates are peaks at the boost clock; nothing here is measured.
struct DeviceSpec {
    std::string id;   ///< "h100-sxm"
    std::string name; ///< "NVIDIA H100 SXM 80GB"
    std::string arch; ///< "sm_90"
    std::uint32_t multiprocessors = 0;
    double clockMHz = 0; ///< boost
    double memoryBytes = 0;
    double memoryBandwidth = 0; ///< bytes/s of device memory
    double l2Bytes = 0;
    double l2Bandwidth = 0; ///< bytes/s
    double l1Bytes = 0;     ///< of one multiprocessor: L1 and shared memory together
    double fp32 = 0;        ///< FLOP/s outside the tensor cores
    double fp64 = 0;
    double fp16 = 0;
    TensorRates tensor;
    ClockRates perClock;
    MultiprocessorLimits limits; ///< of the architecture
    double launchSeconds = 0;    ///< between two dependent kernels of one stream
    double memoryLatency = 0;    ///< seconds from an L2 miss to the data, for latency hiding
    double l2Latency = 0;        ///< seconds of an L2 hit
    /// Where each group of figures comes from: "compute", "memory", "l2", "limits", "latency", ...
    std::map<std::string, std::string> sources;

    [[nodiscard]] double clockHz() const { return clockMHz * 1e6; }
    /// bytes/s of the whole device's shared memory.
    [[nodiscard]] double sharedBandwidth() const { return perClock.sharedBytes * multiprocessors * clockHz(); }
    [[nodiscard]] double l1Bandwidth() const { return perClock.l1Bytes * multiprocessors * clockHz(); }
};

/// Errors: "bad_input" with the field that is missing or of the wrong kind.
Result<DeviceSpec> parseDeviceSpec(std::string_view json);

/// The devices built into the program (resources/devices), oldest first.
[[nodiscard]] const std::vector<DeviceSpec>& deviceSpecs();
/// By id ("h200"), by name, or by an unambiguous part of either, whatever the case; null when there is none.
[[nodiscard]] const DeviceSpec* findDeviceSpec(std::string_view name);

} // namespace kernelarium::perf
