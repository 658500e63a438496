// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/KernelName.h"
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

#include <fmt/format.h>

namespace kernelarium::host {

namespace {

// cudaFuncAttribute
constexpr std::int64_t maxDynamicShared = 8;
constexpr std::int64_t sharedCarveout = 9;
constexpr std::int64_t nonPortableCluster = 14;
constexpr std::int64_t clusterScheduling = 15;

struct Found {
    std::string name;
    KernelFacts facts;
};

std::optional<Found> kernelAt(const CudaContext& c, std::uint64_t address) {
    const auto name = c.symbols.kernelAt ? c.symbols.kernelAt(address) : std::nullopt;
    if (!name) return {};
    const auto facts = c.device.kernel(*name);
    return facts ? std::optional(Found{*name, *facts}) : std::nullopt;
}

int setAttribute(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(0));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const std::int64_t value = a.integer(2);
    if (a.integer(1) == nonPortableCluster) {
        c.nonPortableClusters.erase(kernel->name);
        if (value) c.nonPortableClusters.insert(kernel->name);
        return cudaSuccess;
    }
    // How clusters are spread over the device: nothing that an emulator could follow.
    if (a.integer(1) == clusterScheduling) return value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue;
    if (a.integer(1) == sharedCarveout) return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (a.integer(1) != maxDynamicShared) refuse(fmt::format("cudaFuncSetAttribute of attribute {}", a.integer(1)));
    const std::uint64_t largest =
        c.device.limits().multiprocessor.sharedBytesPerBlock - kernel->facts.staticSharedBytes;
    if (value < 0 || std::uint64_t(value) > largest) return cudaErrorInvalidValue;
    c.sharedOptIn[kernel->name] = std::uint32_t(value);
    return cudaSuccess;
}

int activeBlocksCall(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(1));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const perf::BlockNeeds needs = needsOf(kernel->facts, std::uint32_t(a.integer(2)), std::uint64_t(a.integer(3)));
    c.host.write(a.pointer(0), int(perf::occupancyOf(needs, c.device.limits().multiprocessor).blocks));
    return cudaSuccess;
}

/// cudaOccupancyMaxPotentialBlockSize(minGrid, block, kernel, dynamic shared bytes, limit)
int potentialBlock(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(2));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const emulator::DeviceLimits& limits = c.device.limits();
    const perf::BlockChoice choice = perf::bestBlock(needsOf(kernel->facts, 0, std::uint64_t(a.integer(3, 0))),
                                                     limits.multiprocessor, std::uint32_t(a.integer(4, 0)));
    c.host.write(a.pointer(0), int(choice.blocks * limits.multiprocessors));
    c.host.write(a.pointer(1), int(choice.threads));
    return cudaSuccess;
}

/// cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, blocks, threads)
int availableShared(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(1));
    const std::int64_t blocks = a.integer(2);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (blocks < 1) return cudaErrorInvalidValue;
    const auto& sm = c.device.limits().multiprocessor;
    const std::uint64_t taken = kernel->facts.staticSharedBytes, each = sm.sharedBytes / std::uint64_t(blocks);
    constexpr std::uint64_t reserved = 1024, step = 128; // of a block, and in which shared memory is given out
    const std::uint64_t free = each > taken + reserved ? (each - taken - reserved) / step * step : 0;
    c.host.write(a.pointer(0), std::min<std::uint64_t>(free, sm.sharedBytesPerBlock - taken));
    return cudaSuccess;
}

std::array<std::uint32_t, 3> threeAt(const ApiArguments& a, std::size_t i) {
    return {std::uint32_t(a.integer(i)), std::uint32_t(a.integer(i + 1)), std::uint32_t(a.integer(i + 2))};
}

/// The fields of cudaFuncAttributes in driver_types.h, as far as CUDA 12 and 13 agree on them.
struct FunctionAttributes {
    std::uint64_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout;
};

int getAttributes(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(1));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const KernelFacts& facts = kernel->facts;
    const auto optIn = c.sharedOptIn.find(kernel->name);
    const int dynamic = optIn != c.sharedOptIn.end()
                            ? int(optIn->second)
                            : int(c.device.limits().maxStaticSharedBytes - facts.staticSharedBytes);
    c.host.write(a.pointer(0), FunctionAttributes{facts.staticSharedBytes, 0, facts.localBytes,
                                                  int(c.device.limits().multiprocessor.threadsPerBlock),
                                                  int(facts.registers), 90, 90, 0, dynamic, -1});
    return cudaSuccess;
}

/// cudaLaunchKernel(function, grid x, y, z, block x, y, z, arguments, dynamic shared bytes, stream), and of
/// cudaLaunchKernelEx (cooperative, cluster x, y, z)
int launchCall(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(0));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    KernelLaunch launch;
    launch.kernel = kernel->name;
    launch.grid = threeAt(a, 1);
    launch.block = threeAt(a, 4);
    launch.dynamicSharedBytes = std::uint32_t(a.integer(8, 0));
    launch.stream = a.has(9) ? a.pointer(9) : 0;
    launch.cooperative = a.api() == "cudaLaunchCooperativeKernel" || (a.api() == "cudaLaunchKernelEx" && a.integer(10));
    if (a.api() == "cudaLaunchKernelEx") launch.cluster = threeAt(a, 11);
    launch.parameters.resize(kernel->facts.parameterBytes);
    const std::vector<emulator::ParameterInfo>& ranges = kernel->facts.parameters;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto from = c.host.read<std::uint64_t>(a.pointer(7) + 8 * i);
        c.host.readBytes(from, std::span(launch.parameters).subspan(ranges[i].offset, ranges[i].bytes));
    }
    return launchKernel(c, launch);
}

/// cuTensorMapEncodeTiled(map, type, rank, address, extents, strides, box, element strides, interleave, swizzle,
/// promotion into the L2, fill)
int tensorMapCall(CudaContext& c, const ApiArguments& a) {
    emulator::TensorMap map;
    map.type = std::uint32_t(a.integer(1));
    map.rank = std::uint32_t(a.integer(2));
    map.address = a.pointer(3);
    map.interleave = std::uint32_t(a.integer(8));
    map.swizzle = std::uint32_t(a.integer(9));
    map.promotion = std::uint32_t(a.integer(10));
    map.fillsNan = std::uint32_t(a.integer(11));
    if (map.rank >= 1 && map.rank <= 5)
        for (std::uint32_t d = 0; d < map.rank; ++d) {
            map.extent[d] = c.host.read<std::uint64_t>(a.pointer(4) + 8 * d);
            if (d) map.stride[d] = c.host.read<std::uint64_t>(a.pointer(5) + 8 * (d - 1));
            map.box[d] = c.host.read<std::uint32_t>(a.pointer(6) + 4 * d);
            map.elementStride[d] = c.host.read<std::uint32_t>(a.pointer(7) + 4 * d);
        }
    const auto bytes = c.device.tensorMap(map);
    if (!bytes.ok()) {
        if (bytes.error().code == "unsupported") refuse(bytes.error().message);
        c.log.remark(bytes.error().message);
        return cudaErrorInvalidValue;
    }
    c.host.write(a.pointer(0), *bytes);
    return cudaSuccess;
}

int kernelHint(CudaContext& c, const ApiArguments& a) {
    return kernelAt(c, a.pointer(0)) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

void noteFaults(CudaContext& c, const KernelReport& report, const std::string& kernel) {
    for (verify::Fault fault : report.faults) {
        fault.kernel = kernel;
        c.log.add(std::move(fault));
    }
    for (const std::string& text : report.remarks)
        c.log.remark(text);
}

int refusedStatus(CudaContext& c, const KernelReport& report, const std::string& kernel) {
    const int code = report.cudaError ? report.cudaError : cudaErrorInvalidConfiguration;
    std::string text = "launch of " + kernel + " refused: " + report.reason;
    if (c.firstRefusal.empty()) c.firstRefusal = text;
    c.unreadRefusal = std::move(text);
    return code;
}

/// What a launch gives its caller; launches of its own threads follow it in the log.
int noteLaunch(CudaContext& c, const KernelLaunch& launch, const KernelReport& report, const std::string& kernel) {
    noteFaults(c, report, kernel);
    if (report.end == emulator::LaunchEnd::refused) return c.fail(refusedStatus(c, report, kernel));
    const bool listed =
        c.log.note({kernel, launch.grid, launch.block, launch.dynamicSharedBytes, launch.stream,
                    report.warpInstructions, report.threadInstructions, report.seconds, report.executedBlocks});
    c.log.unsaid.launches += report.unlisted;
    c.log.unsaid.threadInstructions += report.unlistedThreadInstructions;
    c.log.leftBlocksOut |= report.executedBlocks > 0;
    c.log.lanesTookTurns |= report.lanesTookTurns;
    c.log.looseOrder |= report.looseOrder;
    if (report.counted && listed) {
        c.log.counters.push_back(*report.counted);
        c.log.counters.back().kernel = kernel;
        c.log.counters.back().stream = launch.stream;
    }
    for (const auto& [child, ran] : report.launched) {
        const std::string name = text::kernelTitle(child.kernel);
        if (ran.end == emulator::LaunchEnd::refused) {
            c.log.remark("launch of " + name + " by " + kernel + " refused: " + ran.reason);
            continue;
        }
        if (const int status = noteLaunch(c, child, ran, name); status != cudaSuccess) return status;
    }
    switch (report.end) {
    case emulator::LaunchEnd::finished:
    case emulator::LaunchEnd::refused: return cudaSuccess;
    case emulator::LaunchEnd::unsupported: refuse(report.reason);
    case emulator::LaunchEnd::timeout:
        throw RunStopped{verify::RunEnd::timeout, "kernel " + kernel + ": " + report.reason};
    case emulator::LaunchEnd::deadlock:
        throw RunStopped{verify::RunEnd::timeout, "kernel " + kernel + " would never end: " + report.reason};
    case emulator::LaunchEnd::beyond_sample:
        throw RunStopped{verify::RunEnd::beyond_sample, "Kernel " + kernel + " cannot be sampled: " + report.reason};
    case emulator::LaunchEnd::cancelled: throw RunStopped{verify::RunEnd::cancelled, "cancelled"};
    case emulator::LaunchEnd::trapped: break;
    }
    c.lostReason = "kernel " + kernel + ": " + report.reason;
    // The launch itself succeeds; the error shows at the next call, as it does on a GPU.
    c.fail(report.cudaError ? report.cudaError : cudaErrorLaunchFailure);
    return cudaSuccess;
}

} // namespace

int launchKernel(CudaContext& c, const KernelLaunch& launch) {
    const std::string kernel = text::kernelTitle(launch.kernel);
    if (!c.validStream(launch.stream)) return c.fail(cudaErrorInvalidResourceHandle);
    if (c.graphs.captures(launch.stream)) {
        c.graphs.record(launch.stream, launch);
        return cudaSuccess;
    }
    KernelLaunch asked = launch;
    if (const auto optIn = c.sharedOptIn.find(launch.kernel); optIn != c.sharedOptIn.end())
        asked.sharedOptInBytes = optIn->second;
    asked.nonPortableCluster = c.nonPortableClusters.contains(launch.kernel);
    asked.item = c.order.nextItem(launch.stream);
    asked.after = c.order.ahead(launch.stream);
    const KernelReport report = c.device.launch(asked);
    if (report.end != emulator::LaunchEnd::refused) c.order.work(launch.stream, kernel);
    return noteLaunch(c, launch, report, kernel);
}

const std::map<std::string_view, ApiCall>& kernelCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaFuncSetAttribute", setAttribute},
        {"cudaFuncGetAttributes", getAttributes},
        {"cudaFuncSetCacheConfig", kernelHint},
        {"cudaFuncSetSharedMemConfig", kernelHint},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", activeBlocksCall},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", activeBlocksCall},
        {"cudaOccupancyMaxPotentialBlockSize", potentialBlock},
        {"cudaOccupancyAvailableDynamicSMemPerBlock", availableShared},
        {"cudaLaunchKernel", launchCall},
        {"cudaLaunchCooperativeKernel", launchCall},
        {"cudaLaunchKernelEx", launchCall},
        {"cuTensorMapEncodeTiled", tensorMapCall},
    };
    return table;
}

} // namespace kernelarium::host
