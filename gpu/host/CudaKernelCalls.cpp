// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/CudaContext.h"
#include "gpu/host/KernelNames.h"
#include "gpu/host/Occupancy.h"
#include "gpu/host/Raised.h"

#include <fmt/format.h>

namespace kernelarium::host {

namespace {

// cudaFuncAttribute
constexpr std::int64_t maxDynamicShared = 8;
constexpr std::int64_t sharedCarveout = 9;

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
    if (a.integer(1) == sharedCarveout) return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (a.integer(1) != maxDynamicShared) refuse(fmt::format("cudaFuncSetAttribute of attribute {}", a.integer(1)));
    const std::uint64_t largest = c.device.limits().maxSharedBytesOptIn - kernel->facts.staticSharedBytes;
    if (value < 0 || std::uint64_t(value) > largest) return cudaErrorInvalidValue;
    c.sharedOptIn[kernel->name] = std::uint32_t(value);
    return cudaSuccess;
}

int activeBlocksCall(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(1));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const auto blocks = activeBlocks(c.device.limits(), kernel->facts, std::uint32_t(a.integer(2)),
                                     std::uint64_t(a.integer(3)));
    c.host.write(a.pointer(0), int(blocks));
    return cudaSuccess;
}

/// cudaOccupancyMaxPotentialBlockSize(minGrid, block, kernel, dynamic shared bytes, limit)
int potentialBlock(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(2));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const BlockChoice choice = bestBlock(c.device.limits(), kernel->facts, std::uint64_t(a.integer(3, 0)),
                                         std::uint32_t(a.integer(4, 0)));
    c.host.write(a.pointer(0), int(choice.minGrid));
    c.host.write(a.pointer(1), int(choice.threads));
    return cudaSuccess;
}

/// Three sizes, from a list or from the 12 bytes of a dim3.
std::array<std::uint32_t, 3> dim3At(const CudaContext& c, const ApiArguments& a, std::size_t i) {
    std::array<std::uint32_t, 3> out{1, 1, 1};
    if (const auto* list = a.at(i).as<ListRef>()) {
        for (std::size_t d = 0; d < list->items->size() && d < 3; ++d)
            if (const auto* n = (*list->items)[d].as<std::int64_t>()) out[d] = std::uint32_t(*n);
        return out;
    }
    return c.host.read<std::array<std::uint32_t, 3>>(a.pointer(i));
}

/// cudaLaunchKernel(function, grid, block, arguments, dynamic shared bytes, stream)
int launchCall(CudaContext& c, const ApiArguments& a) {
    const auto kernel = kernelAt(c, a.pointer(0));
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    KernelLaunch launch;
    launch.kernel = kernel->name;
    launch.grid = dim3At(c, a, 1);
    launch.block = dim3At(c, a, 2);
    launch.dynamicSharedBytes = std::uint32_t(a.integer(4, 0));
    launch.stream = a.has(5) ? a.pointer(5) : 0;
    launch.cooperative = a.api() == "cudaLaunchCooperativeKernel";
    launch.parameters.resize(kernel->facts.parameterBytes);
    const std::vector<ParameterRange>& ranges = kernel->facts.parameters;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto from = c.host.read<std::uint64_t>(a.pointer(3) + 8 * i);
        c.host.readBytes(from, std::span(launch.parameters).subspan(ranges[i].offset, ranges[i].bytes));
    }
    return launchKernel(c, launch);
}

int kernelHint(CudaContext& c, const ApiArguments& a) {
    return kernelAt(c, a.pointer(0)) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

void noteFaults(CudaContext& c, const KernelReport& report, const std::string& kernel) {
    for (verify::Fault fault : report.faults) {
        fault.kernel = kernel;
        c.log.add(std::move(fault));
    }
}

int refusedStatus(CudaContext& c, const KernelReport& report, const std::string& kernel) {
    const int code = report.cudaError ? report.cudaError : cudaErrorInvalidConfiguration;
    std::string text = "launch of " + kernel + " refused: " + report.reason;
    if (c.firstRefusal.empty()) c.firstRefusal = text;
    c.unreadRefusal = std::move(text);
    return code;
}

} // namespace

int launchKernel(CudaContext& c, const KernelLaunch& launch) {
    const std::string kernel = kernelTitle(launch.kernel);
    if (!c.validStream(launch.stream)) return c.fail(cudaErrorInvalidResourceHandle);
    KernelLaunch asked = launch;
    if (const auto optIn = c.sharedOptIn.find(launch.kernel); optIn != c.sharedOptIn.end())
        asked.sharedOptInBytes = optIn->second;
    const KernelReport report = c.device.launch(asked);
    noteFaults(c, report, kernel);
    if (report.end == KernelEnd::refused) return c.fail(refusedStatus(c, report, kernel));
    c.log.launches.push_back({kernel, launch.grid, launch.block, launch.dynamicSharedBytes, launch.stream,
                              report.warpInstructions, report.threadInstructions, report.seconds});
    switch (report.end) {
    case KernelEnd::finished:
    case KernelEnd::refused: return cudaSuccess;
    case KernelEnd::unsupported: refuse(report.reason);
    case KernelEnd::timeout: throw RunStopped{verify::RunEnd::timeout, "kernel " + kernel + ": " + report.reason};
    case KernelEnd::deadlock:
        throw RunStopped{verify::RunEnd::timeout, "kernel " + kernel + " would never end: " + report.reason};
    case KernelEnd::cancelled: throw RunStopped{verify::RunEnd::cancelled, "cancelled"};
    case KernelEnd::trapped: break;
    }
    c.lostReason = "kernel " + kernel + ": " + report.reason;
    // The launch itself succeeds; the error shows at the next call, as it does on a GPU.
    c.fail(report.cudaError ? report.cudaError : cudaErrorLaunchFailure);
    return cudaSuccess;
}

const std::map<std::string_view, ApiCall>& kernelCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaFuncSetAttribute", setAttribute},
        {"cudaFuncSetCacheConfig", kernelHint},
        {"cudaFuncSetSharedMemConfig", kernelHint},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", activeBlocksCall},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", activeBlocksCall},
        {"cudaOccupancyMaxPotentialBlockSize", potentialBlock},
        {"cudaLaunchKernel", launchCall},
        {"cudaLaunchCooperativeKernel", launchCall},
    };
    return table;
}

} // namespace kernelarium::host
