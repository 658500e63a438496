// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "gpu/device/timing/Timing.h"

#include <string>
#include <vector>

namespace kernelarium::device {

/// How long something else takes for the same task on the same GPU.
struct BaselineTime {
    std::string name;    ///< "cuBLAS"
    std::string version; ///< of the library
    std::string remark;  ///< why there are no samples, or what a reader should know; a sentence, may be empty
    std::vector<perf::Sample> samples;
    double highestClockMHz = 0;
};

/// What of a task NVIDIA's libraries take as one call.
enum class LibraryWork { none, product, convolution };

/// Whether the card's graph at this size is one matrix product or one convolution that NVIDIA's libraries take (views
/// of its operands apart): asked of the graph itself, without a GPU. Errors: as operators::planGraph.
Result<LibraryWork> libraryWorkOf(const task::Card& card, const std::string& size);

/// For a task that is one product, cuBLAS, cuBLASLt's first choice and the fastest of all the algorithms that its
/// heuristic offers; for one convolution cuDNN's first choice, the fastest of its algorithms, and its first choice with
/// TF32; empty for any other. Inputs are those of `seed`, and samples are taken as a kernel's are, in the request's
/// mode. A library that is not there, or refuses, is among the answers with a remark. Errors: those of the device,
/// "timeout", "cancelled", "out_of_memory".
Result<std::vector<BaselineTime>> timeLibraries(std::shared_ptr<DeviceContext> context,
                                                std::shared_ptr<DevicePool> pool, const OperatorParts& parts,
                                                const task::Card& card, const std::string& size,
                                                const TimingRequest& request);

} // namespace kernelarium::device
