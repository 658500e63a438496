// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/PhysicalFloor.h"

#include <algorithm>

namespace kernelarium::perf {

namespace {
double over(double amount, double rate) {
    return amount > 0 && rate > 0 ? amount / rate : 0;
}
} // namespace

FloorWork floorWork(double compulsoryBytes, std::span<const LaunchCounters> launches,
                    std::span<const LibraryCall> library) {
    FloorWork work;
    work.compulsoryBytes = compulsoryBytes;
    const LineCounters totals = mergedTotals(launches);
    work.fp32 = totals.flopsFp32;
    work.fp64 = totals.flopsFp64;
    work.fp16 = totals.flopsFp16;
    work.tensor = totals.flopsTensor;
    for (const LibraryCall& call : library)
        work.library += call.flops;
    return work;
}

PhysicalFloor physicalFloor(const FloorWork& work, const DeviceSpec& device) {
    PhysicalFloor floor;
    const double fromMemory = over(std::max(0.0, work.compulsoryBytes - device.l2Bytes), device.memoryBandwidth);
    const double throughL2 = over(work.compulsoryBytes, device.l2Bandwidth);
    floor.memorySeconds = std::max(fromMemory, throughL2);
    const double tensorPeak = std::max({device.tensor.fp16, device.tensor.fp8, device.tensor.tf32, device.fp32});
    floor.computeSeconds = over(work.fp32, device.fp32) + over(work.fp64, std::max(device.fp64, device.tensor.fp64)) +
                           over(work.fp16, device.fp16) + over(work.tensor, tensorPeak) +
                           over(work.library, std::max(device.tensor.tf32, device.fp32));
    floor.seconds = std::max(floor.memorySeconds, floor.computeSeconds);
    floor.limiter = floor.computeSeconds > floor.memorySeconds ? "arithmetic"
                    : fromMemory > throughL2                   ? "device memory"
                                                               : "L2 cache";
    return floor;
}

} // namespace kernelarium::perf
