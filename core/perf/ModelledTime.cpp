// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ModelledTime.h"

#include "core/perf/ResidentBlocks.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kernelarium::perf {

namespace {

constexpr double sectorBytes = 32;
constexpr double lanes = 32;

// Shares of a peak that well-written kernels reach; the same for all devices.
constexpr double memoryEfficiency = 0.90;
constexpr double l2Efficiency = 0.70;
constexpr double issueEfficiency = 0.75; // cuBLAS's float32 product of 2048 on an H200 takes 0.347 ms: 75%
constexpr double l1Efficiency = 0.87;    // Nsight Compute's "Mem Busy" of products bound by it: 86 to 90%

/// Loads that a warp has under way before it waits for one, and instructions that it issues between dependent ones:
/// typical of unrolled code, and not known from counters.
constexpr double loadsUnderWay = 4;
constexpr double dependentIssueClocks = 4;
constexpr double independentInstructions = 1.6;
constexpr double barrierClocks = 30;
constexpr double l1Clocks = 35;
constexpr double sharedClocks = 25;
constexpr double specialClocks = 20;
/// Of the loads past the L1 that another block made before, so many miss an L2 that is much too small for all data:
/// blocks that run at the same time mostly share what they read.
constexpr double coldReuse = 0.35;

struct Launch {
    const LaunchCounters& c;
    const DeviceSpec& d;
    const Placing& placing;
    double quantisation = 1;
    double warpsPerBlock = 1;
    /// Blocks of the multiprocessor that has most, and how many of these it holds at a time.
    [[nodiscard]] double blocks() const { return c.blocks() / d.multiprocessors * quantisation; }
    [[nodiscard]] double resident() const { return std::max(1.0, double(placing.occupancy.blocks)); }
};

double clocks(const Launch& l, double warpWork, double lanesPerClock) {
    return warpWork * lanes / (lanesPerClock * l.d.multiprocessors * l.d.clockHz()) * l.quantisation;
}

/// Time of work given as clocks of one multiprocessor.
double spread(const Launch& l, double multiprocessorClocks) {
    return multiprocessorClocks / (l.d.multiprocessors * l.d.clockHz()) * l.quantisation;
}

/// Every distinct byte once, what blocks read again after their share of the L2 has lost it, and a share of what
/// several blocks read where the L2 does not hold it all.
double deviceMemoryBytes(const Launch& l) {
    const LineCounters& t = l.c.totals;
    const double once = l.c.uniqueReadBytes + l.c.uniqueWrittenBytes;
    const double ofOthers = std::max(0.0, (t.l2LoadSectors - t.blockAgainSectors) * sectorBytes - l.c.uniqueReadBytes);
    const double excess = std::max(0.0, 1 - l.d.l2Bytes / std::max(l.c.uniqueBytes, 1.0));
    return once + t.blockLostSectors * sectorBytes + ofOthers * excess * coldReuse;
}

double waitPastL1(const Launch& l) {
    const double sectors = l.c.totals.l2LoadSectors * sectorBytes;
    const double cold = std::min(1.0, sectors > 0 ? deviceMemoryBytes(l) / sectors : 0);
    return cold * l.d.memoryLatency + (1 - cold) * l.d.l2Latency;
}

/// The same from counts alone, where no block was followed: loads at their latency, a few at a time.
double guessedAlone(const Launch& l) {
    const LineCounters& t = l.c.totals;
    const double warps = l.warpsPerBlock * l.c.blocks();
    if (warps == 0) return 0;
    const double clock = l.d.clockHz();
    const double loads = t.globalLoadRequests + t.globalAtomicRequests;
    const double missing = t.globalLoadSectors > 0 ? t.l2LoadSectors / t.globalLoadSectors : 0;
    const double perLoad = missing * waitPastL1(l) + (1 - missing) * l1Clocks / clock;
    const double sharedLoads = t.sharedLoadRequests + t.localRequests;
    return (loads * perLoad / loadsUnderWay + sharedLoads * sharedClocks / clock / loadsUnderWay +
            t.special * specialClocks / clock / independentInstructions + t.barrierWaits * barrierClocks / clock +
            t.issueSlots * dependentIssueClocks / clock / independentInstructions) /
           warps;
}

/// A block's way through its instructions when no other is in its way.
double aloneSeconds(const Launch& l) {
    if (l.c.blockClocks <= 0) return guessedAlone(l);
    return l.c.blockClocks / l.d.clockHz() + l.c.blockWaits * waitPastL1(l);
}

/// Of the multiprocessor that has most blocks, whose parts are busy for `busy` seconds in all.
double multiprocessorSeconds(const Launch& l, double busy) {
    const double blocks = l.blocks();
    if (blocks <= 0) return 0;
    const BlockTime each{busy / blocks, aloneSeconds(l)};
    const bool wholeRounds = l.placing.rounds <= l.placing.waves;
    return wholeRounds ? secondsTogether(blocks, l.resident(), each) : secondsInRounds(blocks, l.resident(), each);
}

/// Each type of factors at its own rate; at float16's where the device is not known to have one.
double tensorSeconds(const LineCounters& t, const TensorRates& rate) {
    const auto at = [&](double operations, double own) {
        const double each = own > 0 ? own : rate.fp16;
        return each > 0 ? operations / each : 0;
    };
    return at(t.flopsTensor - t.flopsTensorTf32 - t.flopsTensorFp8, rate.fp16) + at(t.flopsTensorTf32, rate.tf32) +
           at(t.flopsTensorFp8, rate.fp8) + at(t.opsTensorInt8, rate.int8);
}

std::vector<TimeTerm> termsOf(const Launch& l, double memoryBytes) {
    const LineCounters& t = l.c.totals;
    const ClockRates& r = l.d.perClock;
    const double tagOrData =
        std::max(t.globalLines, (t.globalLoadSectors + t.globalStoreSectors) * sectorBytes / r.l1Bytes);
    const double l2Sectors = t.l2LoadSectors + t.globalStoreSectors + 2 * t.globalAtomicSectors;
    const double sharedWavefronts = t.sharedLoadWavefronts + t.sharedStoreWavefronts;
    std::vector<TimeTerm> terms = {
        {"issue", clocks(l, t.issueSlots / issueEfficiency, r.issue * lanes)},
        {"fp32", clocks(l, t.fp32, r.fp32)},
        {"fp64", clocks(l, t.fp64, r.fp64)},
        {"fp16", clocks(l, t.fp16, r.fp16)},
        {"integer", clocks(l, t.integer + t.convert, r.int32)},
        {"special", clocks(l, t.special, r.special)},
        {"tensor", tensorSeconds(t, l.d.tensor) * l.quantisation},
        {"shared_memory", spread(l, sharedWavefronts * 128 / r.sharedBytes / l1Efficiency)},
        {"l1",
         spread(l, (tagOrData + t.localSectors * sectorBytes / r.l1Bytes + sharedWavefronts * 128 / r.sharedBytes) /
                       l1Efficiency)},
        {"l2", l2Sectors * sectorBytes / (l.d.l2Bandwidth * l2Efficiency)},
        {"device_memory", memoryBytes / (l.d.memoryBandwidth * memoryEfficiency)},
        {"atomics", spread(l, t.globalAtomicLanes)},
        {"latency", aloneSeconds(l) * l.placing.rounds},
    };
    std::erase_if(terms, [](const TimeTerm& term) { return term.seconds <= 0; });
    std::stable_sort(terms.begin(), terms.end(),
                     [](const TimeTerm& a, const TimeTerm& b) { return a.seconds > b.seconds; });
    return terms;
}

bool isOfDevice(const TimeTerm& term) {
    return term.name == "l2" || term.name == "device_memory";
}

/// The multiprocessors' time and that of what they share: each waits for the other now and then, so that the longer one
/// does not hide the shorter altogether.
double launchSeconds(const Launch& l, const std::vector<TimeTerm>& terms) {
    double own = 0, common = 0;
    for (const TimeTerm& term : terms) {
        if (term.name == "latency") continue;
        double& longest = isOfDevice(term) ? common : own;
        longest = std::max(longest, term.seconds);
    }
    return std::hypot(multiprocessorSeconds(l, own), common);
}

/// With what spilled registers cost: where they are loaded and stored is not known, so each time that as many
/// instructions ran as the kernel has, as many as ptxas wrote. A word of every lane is four sectors.
LaunchCounters withSpills(const LaunchCounters& c) {
    LaunchCounters with;
    with.kernel = c.kernel;
    with.grid = c.grid;
    with.block = c.block;
    with.totals = c.totals;
    with.uniqueReadBytes = c.uniqueReadBytes;
    with.uniqueWrittenBytes = c.uniqueWrittenBytes;
    with.uniqueBytes = c.uniqueBytes;
    with.blockClocks = c.blockClocks;
    with.blockWaits = c.blockWaits;
    if (c.spillBytes <= 0 || c.codeSlots <= 0 || c.totals.issueSlots <= 0) return with;
    constexpr double wordBytes = 4;
    const double words = c.totals.issueSlots * c.spillBytes / wordBytes / c.codeSlots;
    with.blockClocks *= 1 + words / c.totals.issueSlots;
    with.totals.issueSlots += words;
    with.totals.localRequests += words;
    with.totals.localSectors += words * lanes * wordBytes / sectorBytes;
    return with;
}

const char* inWords(const std::string& term) {
    if (term == "issue") return "issuing instructions";
    if (term == "fp32" || term == "fp64" || term == "fp16") return "floating-point arithmetic";
    if (term == "integer") return "integer arithmetic (addresses and indices)";
    if (term == "special") return "divisions, roots and exponentials";
    if (term == "tensor") return "the tensor cores";
    if (term == "shared_memory") return "shared memory";
    if (term == "l1") return "the L1 cache: requests for many lines or sectors";
    if (term == "l2") return "traffic to the L2 cache";
    if (term == "device_memory") return "device memory traffic";
    if (term == "atomics") return "atomic updates";
    if (term == "latency") return "waiting: too few warps are in flight to hide latency";
    return "the launch itself";
}

std::string whyOf(const LaunchTime& time, const Launch& l) {
    std::string text = fmt::format("Limited by {} ({}", inWords(time.limiter), quantities::seconds(time.seconds));
    if (time.terms.size() > 1)
        text += fmt::format("; next is {} at {} of it", time.terms[1].name,
                            quantities::percent(time.terms[1].seconds / time.terms[0].seconds));
    text +=
        fmt::format("). {} on a multiprocessor {} {} of its warps", quantities::counted(time.occupancy.blocks, "block"),
                    time.occupancy.blocks == 1 ? "holds" : "hold", quantities::percent(time.occupancy.share));
    if (l.c.blocks() < l.d.multiprocessors)
        text += fmt::format(", and the grid's {} {} {} of {} multiprocessors idle",
                            quantities::counted(l.c.blocks(), "block"), l.c.blocks() == 1 ? "leaves" : "leave",
                            quantities::count(l.d.multiprocessors - l.c.blocks()), l.d.multiprocessors);
    else if (time.quantisation > 1.15)
        text += fmt::format("; the last wave costs {} more", quantities::percent(time.quantisation - 1));
    return text + ".";
}

} // namespace

Placing placingOf(const LaunchCounters& c, const DeviceSpec& device) {
    Placing p;
    p.occupancy = occupancyOf({c.threadsPerBlock(), c.registers, c.sharedBytes()}, device);
    p.resident = std::max(1.0, double(p.occupancy.blocks) * device.multiprocessors);
    p.waves = c.blocks() / p.resident;
    p.rounds = std::ceil(p.waves);
    const double each = c.blocks() / device.multiprocessors;
    p.quantisation = each > 0 ? std::ceil(each) / each : 1;
    return p;
}

LaunchTime modelLaunch(const LaunchCounters& c, const DeviceSpec& device) {
    return modelLaunch(c, device, placingOf(c, device));
}

LaunchTime modelLaunch(const LaunchCounters& c, const DeviceSpec& device, const Placing& placing) {
    LaunchTime time;
    time.kernel = c.kernel;
    time.occupancy = placing.occupancy;
    const LaunchCounters with = withSpills(c);
    const Launch l{with, device, placing, placing.quantisation, std::ceil(c.threadsPerBlock() / lanes)};
    time.waves = placing.waves;
    time.quantisation = placing.quantisation;
    time.deviceMemoryBytes = deviceMemoryBytes(l);
    time.terms = termsOf(l, time.deviceMemoryBytes);
    time.filled = std::clamp(time.waves, 1.0 / placing.resident, 1.0);
    const double busy = launchSeconds(l, time.terms);
    time.seconds = busy + device.launchSeconds;
    time.limiter = busy < device.launchSeconds || time.terms.empty() ? "launch_overhead" : time.terms.front().name;
    time.why = whyOf(time, l);
    return time;
}

namespace {

double libraryEfficiency(const std::string& name) {
    if (name.find("conv_transpose3d") != std::string::npos) return 0.1;
    return name.find("conv") != std::string::npos ? 0.2 : 0.65;
}

/// Streams run side by side: as long as the busiest of them, or as all launches take that share the device.
double concurrentSeconds(std::span<const LaunchCounters> launches, const std::vector<LaunchTime>& times) {
    std::map<std::uint64_t, double> byStream;
    double shared = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        byStream[launches[i].stream] += times[i].seconds;
        shared += times[i].seconds * times[i].filled;
    }
    double longest = 0;
    for (const auto& [stream, seconds] : byStream)
        longest = std::max(longest, seconds);
    return byStream.size() == 1 ? longest : std::max(longest, shared);
}

} // namespace

double modelLibraryCall(const LibraryCall& call, const DeviceSpec& device) {
    return std::max(call.bytes / (device.memoryBandwidth * memoryEfficiency),
                    call.flops / (device.fp32 * libraryEfficiency(call.name))) +
           device.launchSeconds;
}

ModelledTime modelRun(std::span<const LaunchCounters> launches, std::span<const LibraryCall> library,
                      const DeviceSpec& device) {
    ModelledTime run;
    run.device = device.id;
    const LaunchTime* longest = nullptr;
    run.launches.reserve(launches.size());
    for (const LaunchCounters& c : launches) {
        run.launches.push_back(modelLaunch(c, device));
        if (!longest || run.launches.back().seconds > longest->seconds) longest = &run.launches.back();
    }
    run.kernelSeconds = concurrentSeconds(launches, run.launches);
    for (const LibraryCall& call : library)
        run.librarySeconds += modelLibraryCall(call, device);
    run.seconds = run.kernelSeconds + run.librarySeconds;
    if (longest) {
        run.limiter = longest->limiter;
        run.why = (launches.size() > 1
                       ? "The longest of " + std::to_string(launches.size()) + " launches, " + longest->kernel + ": "
                       : std::string()) +
                  longest->why;
    }
    if (run.librarySeconds > run.kernelSeconds) {
        run.limiter = "library";
        run.why = fmt::format("Library calls take {} of the time, by their bytes and operations. {}",
                              quantities::percent(run.librarySeconds / run.seconds), run.why);
    }
    return run;
}

} // namespace kernelarium::perf
