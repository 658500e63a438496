// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/MeasuredCeilings.h"

#include "core/quantities/Quantities.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

struct CeilingFacts {
    std::string_view key;
    std::string_view name;
    std::string_view unit;
    double (*datasheet)(const DeviceSpec&);
    double trustedFrom; ///< of the data sheet's rate
};

constexpr double memoryTrust = 0.8, arithmeticTrust = 0.9;

constexpr std::array ceilingFacts{
    CeilingFacts{"device_read", "device memory, read", "B/s", [](const DeviceSpec& d) { return d.memoryBandwidth; },
                 memoryTrust},
    CeilingFacts{"device_write", "device memory, write", "B/s", [](const DeviceSpec& d) { return d.memoryBandwidth; },
                 0},
    CeilingFacts{"device_copy", "device memory, copy", "B/s", [](const DeviceSpec& d) { return d.memoryBandwidth; },
                 memoryTrust},
    CeilingFacts{"l2", "L2 cache, read", "B/s", [](const DeviceSpec& d) { return d.l2Bandwidth; }, 0},
    CeilingFacts{"shared", "shared memory, read", "B/s", [](const DeviceSpec& d) { return d.sharedBandwidth(); }, 0},
    CeilingFacts{"fp32", "float32", "FLOP/s", [](const DeviceSpec& d) { return d.fp32; }, arithmeticTrust},
    CeilingFacts{"fp64", "float64", "FLOP/s", [](const DeviceSpec& d) { return d.fp64; }, 0},
    CeilingFacts{"fp16", "float16", "FLOP/s", [](const DeviceSpec& d) { return d.fp16; }, 0},
    CeilingFacts{"bf16", "bfloat16", "FLOP/s", [](const DeviceSpec&) { return 0.0; }, 0},
    CeilingFacts{"special", "special functions", "results/s",
                 [](const DeviceSpec& d) { return d.perClock.special * d.multiprocessors * d.clockHz(); }, 0},
    CeilingFacts{"tensor_fp16", "tensor float16", "FLOP/s", [](const DeviceSpec& d) { return d.tensor.fp16; }, 0},
    CeilingFacts{"tensor_bf16", "tensor bfloat16", "FLOP/s",
                 [](const DeviceSpec& d) { return d.tensor.bf16 ? d.tensor.fp16 : 0; }, 0},
    CeilingFacts{"tensor_tf32", "tensor TF32", "FLOP/s", [](const DeviceSpec& d) { return d.tensor.tf32; }, 0},
    CeilingFacts{"tensor_fp64", "tensor float64", "FLOP/s", [](const DeviceSpec& d) { return d.tensor.fp64; }, 0},
    CeilingFacts{"tensor_fp8", "tensor float8", "FLOP/s", [](const DeviceSpec& d) { return d.tensor.fp8; }, 0},
    CeilingFacts{"tensor_int8", "tensor int8", "OP/s", [](const DeviceSpec& d) { return d.tensor.int8; }, 0},
};

const CeilingFacts* factsOf(std::string_view key) {
    for (const CeilingFacts& facts : ceilingFacts)
        if (facts.key == key) return &facts;
    return nullptr;
}

} // namespace

const Ceiling* MeasuredCeilings::find(std::string_view key) const {
    for (const Ceiling& ceiling : ceilings)
        if (ceiling.key == key) return &ceiling;
    return nullptr;
}

std::string_view ceilingName(std::string_view key) {
    const CeilingFacts* facts = factsOf(key);
    return facts ? facts->name : key;
}

std::string_view ceilingUnit(std::string_view key) {
    const CeilingFacts* facts = factsOf(key);
    return facts ? facts->unit : std::string_view();
}

double datasheetRate(const DeviceSpec& device, std::string_view key) {
    const CeilingFacts* facts = factsOf(key);
    return facts ? facts->datasheet(device) : 0;
}

std::string whyNotTrusted(const Ceiling& ceiling, const DeviceSpec& device) {
    const CeilingFacts* facts = factsOf(ceiling.key);
    const double published = datasheetRate(device, ceiling.key);
    constexpr double mostTimes = 1.1; // a data sheet's clock may be lower than the card's
    if (!facts || published <= 0) return {};
    if (ceiling.rate > mostTimes * published)
        return fmt::format("{} times the data sheet, which no device reaches: the probe did not measure what it should",
                           quantities::number(ceiling.rate / published));
    if (ceiling.rate >= facts->trustedFrom * published) return {};
    return fmt::format("only {} of the data sheet, where at least {} is expected: other work on the GPU, a "
                       "low clock, or a part of the device (MIG)",
                       quantities::percent(ceiling.rate / published), quantities::percent(facts->trustedFrom));
}

Roofline rooflineOf(const MeasuredCeilings& measured, const DeviceSpec& device) {
    Roofline roofs = rooflineOf(device);
    roofs.device = measured.device;
    roofs.memory.clear();
    roofs.compute.clear();
    for (const auto& [level, key] :
         {std::pair{MemoryLevel::device, "device_read"}, {MemoryLevel::l2, "l2"}, {MemoryLevel::shared, "shared"}})
        if (const Ceiling* c = measured.find(key)) roofs.memory.push_back({level, c->rate});
    for (const Precision precision :
         {Precision::fp32, Precision::fp64, Precision::fp16, Precision::tensorFp16, Precision::tensorTf32,
          Precision::tensorFp64, Precision::tensorFp8, Precision::tensorInt8})
        if (const Ceiling* c = measured.find(key(precision))) roofs.compute.push_back({precision, c->rate});
    return roofs;
}

} // namespace kernelarium::perf
