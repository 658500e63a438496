// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Roofline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kernelarium::perf {

namespace {

struct Names {
    std::string_view key;
    std::string_view name;
};
constexpr std::array<Names, 3> levelNames = {
    {{"device", "device memory"}, {"l2", "L2 cache"}, {"shared", "shared memory and L1"}}};
constexpr std::array<Names, 8> precisionNames = {{{"fp32", "float32"},
                                                  {"fp64", "float64"},
                                                  {"fp16", "float16"},
                                                  {"tensor_fp16", "tensor float16"},
                                                  {"tensor_tf32", "tensor tf32"},
                                                  {"tensor_fp64", "tensor float64"},
                                                  {"tensor_fp8", "tensor fp8"},
                                                  {"tensor_int8", "tensor int8"}}};

template <class Roof, class Kind> const Roof* findRoof(const std::vector<Roof>& roofs, Kind Roof::*kind, Kind wanted) {
    const auto found = std::find_if(roofs.begin(), roofs.end(), [&](const Roof& roof) { return roof.*kind == wanted; });
    return found == roofs.end() ? nullptr : &*found;
}

} // namespace

std::string_view name(MemoryLevel level) {
    return levelNames[std::size_t(level)].name;
}
std::string_view key(MemoryLevel level) {
    return levelNames[std::size_t(level)].key;
}
std::string_view name(Precision precision) {
    return precisionNames[std::size_t(precision)].name;
}
std::string_view key(Precision precision) {
    return precisionNames[std::size_t(precision)].key;
}

double elementBytes(Precision precision) {
    switch (precision) {
    case Precision::fp64:
    case Precision::tensorFp64: return 8;
    case Precision::fp16:
    case Precision::tensorFp16: return 2;
    case Precision::tensorFp8:
    case Precision::tensorInt8: return 1;
    case Precision::fp32:
    case Precision::tensorTf32: break;
    }
    return 4;
}

std::optional<Precision> parsePrecision(std::string_view text) {
    for (std::size_t i = 0; i < precisionNames.size(); ++i)
        if (precisionNames[i].key == text) return Precision(i);
    return std::nullopt;
}

double ridge(const MemoryRoof& memory, const ComputeRoof& compute) {
    return compute.flopsPerSecond / memory.bytesPerSecond;
}

double attainable(const MemoryRoof& memory, const ComputeRoof& compute, double intensity) {
    return std::min(compute.flopsPerSecond, intensity * memory.bytesPerSecond);
}

const MemoryRoof* Roofline::find(MemoryLevel level) const {
    return findRoof(memory, &MemoryRoof::level, level);
}
const ComputeRoof* Roofline::find(Precision precision) const {
    return findRoof(compute, &ComputeRoof::precision, precision);
}

Roofline rooflineOf(const DeviceSpec& spec) {
    Roofline roofline;
    roofline.device = spec.name;
    roofline.l2Bytes = spec.l2Bytes;
    roofline.launchSeconds = spec.launchSeconds;
    const std::array<MemoryRoof, 3> memory = {{{MemoryLevel::device, spec.memoryBandwidth},
                                               {MemoryLevel::l2, spec.l2Bandwidth},
                                               {MemoryLevel::shared, spec.sharedBandwidth()}}};
    const std::array<ComputeRoof, 8> compute = {{{Precision::fp32, spec.fp32},
                                                 {Precision::fp64, spec.fp64},
                                                 {Precision::fp16, spec.fp16},
                                                 {Precision::tensorFp16, spec.tensor.fp16},
                                                 {Precision::tensorTf32, spec.tensor.tf32},
                                                 {Precision::tensorFp64, spec.tensor.fp64},
                                                 {Precision::tensorFp8, spec.tensor.fp8},
                                                 {Precision::tensorInt8, spec.tensor.int8}}};
    std::copy_if(memory.begin(), memory.end(), std::back_inserter(roofline.memory),
                 [](const MemoryRoof& roof) { return roof.bytesPerSecond > 0; });
    std::copy_if(compute.begin(), compute.end(), std::back_inserter(roofline.compute),
                 [](const ComputeRoof& roof) { return roof.flopsPerSecond > 0; });
    return roofline;
}

Result<Placement> place(const Roofline& roofline, const Work& work) {
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!positive(work.seconds)) return Error{"bad_input", "The time is not a positive number."};
    if (!positive(work.bytes)) return Error{"bad_input", "The bytes moved are not a positive number."};
    if (!std::isfinite(work.flops) || work.flops < 0) return Error{"bad_input", "The FLOPs are not a number."};
    const MemoryRoof* memory = roofline.find(MemoryLevel::device);
    const ComputeRoof* compute = roofline.find(work.precision);
    if (!memory || !compute)
        return Error{"no_such_roof",
                     roofline.device + " has no " + std::string(memory ? name(work.precision) : "device memory") +
                         " roof.",
                     "Choose another device."};
    Placement placement;
    placement.intensity = work.flops / work.bytes;
    placement.flopsPerSecond = work.flops / work.seconds;
    placement.bytesPerSecond = work.bytes / work.seconds;
    placement.ridge = ridge(*memory, *compute);
    placement.bound = placement.intensity < placement.ridge ? Bound::memory : Bound::compute;
    placement.attainable = attainable(*memory, *compute, placement.intensity);
    placement.share = placement.bound == Bound::memory ? placement.bytesPerSecond / memory->bytesPerSecond
                                                       : placement.flopsPerSecond / compute->flopsPerSecond;
    return placement;
}

ByteSource byteSourceFromWords(std::string_view words) {
    if (words == "compulsory") return ByteSource::compulsory;
    if (words == "emulator sectors") return ByteSource::emulatorSectors;
    if (words == "profiler") return ByteSource::profiler;
    return ByteSource::unknown;
}

} // namespace kernelarium::perf
