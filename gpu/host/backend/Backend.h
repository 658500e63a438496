// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Occupancy.h"
#include "core/verify/Runner.h"
#include "gpu/emulator/async/TensorMap.h"
#include "gpu/emulator/code/FunctionInfo.h"
#include "gpu/emulator/warp/LaunchResult.h"
#include "gpu/host/backend/Memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::host {

/// A kernel to be run once. Kernels go by their mangled name: that is what every backend knows them by.
struct KernelLaunch {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::uint32_t sharedOptInBytes = 0; ///< cudaFuncAttributeMaxDynamicSharedMemorySize; 0 where never set
    bool cooperative = false;
    std::array<std::uint32_t, 3> cluster{0, 0, 0}; ///< blocks of a cluster; 0: as the kernel says, or none
    std::uint64_t stream = 0;
    std::size_t item = 0; ///< its number among the pieces of work on its stream, from 1; 0 where nobody counts
    /// What CUDA's rules order before it: of other streams and its own, the first so many pieces of work.
    std::map<std::uint64_t, std::size_t> after;
    std::vector<std::byte> parameters; ///< laid out as the kernel's parameter space
    bool nonPortableCluster = false;   ///< cudaFuncAttributeNonPortableClusterSizeAllowed
};

/// How a launch went.
struct KernelReport {
    emulator::LaunchEnd end = emulator::LaunchEnd::finished; ///< `refused`: nothing ran
    int cudaError = 0;                                       ///< for `refused` and `trapped`: the code that CUDA gives
    std::string reason; ///< a sentence; for `unsupported` the name of what is missing
    std::vector<verify::Fault> faults;
    std::vector<std::string> remarks;   ///< what the checks could not look at, a sentence each
    std::uint64_t warpInstructions = 0; ///< 0 where the backend does not count
    std::uint64_t threadInstructions = 0;
    double seconds = 0;
    bool lanesTookTurns = false;                                 ///< verify::RunResult::lanesTookTurns
    bool looseOrder = false;                                     ///< verify::RunResult::looseOrder
    std::uint64_t executedBlocks = 0;                            ///< where blocks were left out; else 0
    std::vector<std::pair<KernelLaunch, KernelReport>> launched; ///< grids that its threads launched, run after it
    /// Of such grids, those that are too many to be listed.
    std::uint64_t unlisted = 0;
    std::uint64_t unlistedThreadInstructions = 0;
    std::optional<perf::LaunchCounters> counted; ///< where the backend was told to count; `kernel` is mangled

    /// Counts one of these, and what was left out of its own list.
    void countUnlisted(const KernelReport& ran) {
        unlisted += 1 + ran.unlisted;
        unlistedThreadInstructions += ran.threadInstructions + ran.unlistedThreadInstructions;
        lanesTookTurns |= ran.lanesTookTurns;
        looseOrder |= ran.looseOrder;
        for (const std::string& text : ran.remarks)
            if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(text);
    }
};

/// What the module says of a kernel. Bytes; of shared and local memory for a block and for a thread.
struct KernelFacts {
    std::uint32_t parameterBytes = 0;
    std::vector<emulator::ParameterInfo> parameters;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t localBytes = 0;
    std::uint32_t registers = 0;   ///< per thread, from ptxas; 0 where unknown
    std::uint32_t globalLoads = 0; ///< instructions of the machine code; 0 where unknown
};

/// What a block of the kernel takes of a multiprocessor.
[[nodiscard]] inline perf::BlockNeeds needsOf(const KernelFacts& kernel, std::uint32_t threads,
                                              std::uint64_t dynamicSharedBytes) {
    const std::uint64_t most = ~std::uint32_t(0) - kernel.staticSharedBytes; // more than any multiprocessor has
    return {threads, kernel.registers, kernel.staticSharedBytes + std::uint32_t(std::min(dynamicSharedBytes, most))};
}

/// A variable of the module in device memory.
struct DeviceSymbol {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// Where kernels run: the device's memory and what can be done in it. Everything above sees only this
/// interface. Calls take effect in the order in which they are made; streams do not overlap.
class Backend : public Memory {
public:
    [[nodiscard]] virtual std::string name() const = 0; ///< "emulator", "cuda"
    [[nodiscard]] virtual const emulator::DeviceLimits& limits() const = 0;

    /// A cudaDeviceAttr of the real device; empty where there is none, or it does not say.
    [[nodiscard]] virtual std::optional<int> attribute(int) const { return {}; }

    /// Of the loaded module, by mangled name; empty where it has no such kernel or variable.
    [[nodiscard]] virtual std::optional<KernelFacts> kernel(std::string_view mangled) const = 0;
    /// May only now be given its place.
    [[nodiscard]] virtual std::optional<DeviceSymbol> symbol(std::string_view mangled) = 0;

    /// Memory that host code may use as well (cudaMallocManaged). Errors: "out_of_memory", "unsupported".
    virtual Result<std::uint64_t> allocateManaged(std::uint64_t /*bytes*/, std::string label) {
        return Error{"unsupported", label + " on a GPU: host code is interpreted here"};
    }
    /// What cuTensorMapEncodeTiled writes, for kernels of this backend. Errors: "invalid_value", "unsupported".
    virtual Result<std::array<std::byte, emulator::tensorMapBytes>> tensorMap(const emulator::TensorMap&) {
        return Error{"unsupported", "cuTensorMapEncodeTiled on this backend"};
    }
    /// Whether kernels reach page-locked memory of the host code.
    [[nodiscard]] virtual bool sharesHostMemory() const { return false; }

    virtual KernelReport launch(const KernelLaunch& launch) = 0;
    virtual Result<void> synchronize() = 0;
    /// Called before the memory is used past this interface: what was put off is begun.
    virtual void settle() {}

    /// A sentence for each guard band around an allocation that no longer holds its pattern.
    [[nodiscard]] virtual std::vector<std::string> damagedGuards() const = 0;
};

} // namespace kernelarium::host
