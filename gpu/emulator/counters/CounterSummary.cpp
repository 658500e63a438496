// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/CounterSummary.h"

#include "gpu/emulator/control/Control.h"

#include <algorithm>
#include <map>

namespace kernelarium::emulator {

namespace {

using Kind = InstructionClass;
using perf::LineCounters;

double* classOf(LineCounters& c, Kind kind) {
    switch (kind) {
    case Kind::integer: return &c.integer;
    case Kind::fp32: return &c.fp32;
    case Kind::fp64: return &c.fp64;
    case Kind::fp16: return &c.fp16;
    case Kind::tensor: return &c.tensor;
    case Kind::special: return &c.special;
    case Kind::convert: return &c.convert;
    case Kind::move: return &c.move;
    case Kind::shuffle: return &c.shuffle;
    case Kind::atomic: return &c.atomic;
    case Kind::control: return &c.control;
    case Kind::barrier: return &c.barrier;
    default: return nullptr;
    }
}

void addFlops(LineCounters& c, Precision precision, double flops) {
    switch (precision) {
    case Precision::fp32: c.flopsFp32 += flops; break;
    case Precision::fp64: c.flopsFp64 += flops; break;
    case Precision::fp16: c.flopsFp16 += flops; break;
    case Precision::tensorTf32: c.flopsTensorTf32 += flops; [[fallthrough]];
    case Precision::tensor: c.flopsTensor += flops; break;
    case Precision::tensorFp8:
        c.flopsTensorFp8 += flops;
        c.flopsTensor += flops;
        break;
    case Precision::tensorInt8: c.opsTensorInt8 += flops; break;
    }
}

void addWaste(LineCounters& c, const InstructionFacts& facts, const InstructionTally& t) {
    if (t.wasteful == 0) return;
    perf::Waste& of = t.sharedRequests ? c.sharedWaste : facts.kind == Kind::load ? c.loadWaste : c.storeWaste;
    of += {double(t.wasteful), double(t.wastefulCost), double(t.wastefulIdeal), double(t.stride), double(t.strideLead)};
}

/// Requests beyond the runs of one instruction (generic addresses in two windows) keep their own class.
void addAccess(LineCounters& c, const InstructionFacts& facts, const InstructionTally& t) {
    const double bytes = double(t.globalLanes) * (facts.isBulk ? 1 : facts.bytes);
    const double inShared = double(t.sharedRequests);
    const double inLocal = double(t.localRequests);
    const double inGlobal = std::max(0.0, double(t.runs) - inShared - inLocal);
    c.globalLines += double(t.lines);
    if (facts.isBulk) c.bulkBytes += bytes;
    c.localRequests += inLocal;
    c.localSectors += double(t.localSectors);
    if (facts.kind == Kind::load) {
        c.loadGlobal += facts.space == ptx::Space::shared || facts.space == ptx::Space::local ? 0 : inGlobal;
        c.loadShared += facts.space == ptx::Space::shared ? double(t.runs) : inShared;
        c.loadLocal += facts.space == ptx::Space::local ? double(t.runs) : inLocal;
        c.globalLoadRequests += double(t.globalRequests);
        c.globalLoadSectors += double(t.globalSectors);
        c.globalLoadIdealSectors += double(t.idealSectors);
        c.globalLoadBytes += bytes;
        c.l2LoadSectors += double(t.l2Sectors);
        c.blockAgainSectors += double(t.againSectors);
        c.blockLostSectors += double(t.lostSectors);
        c.sharedLoadRequests += inShared;
        c.sharedLoadWavefronts += double(t.wavefronts);
        c.sharedIdealWavefronts += double(t.idealWavefronts);
        return;
    }
    if (facts.kind == Kind::store) {
        c.storeGlobal += facts.space == ptx::Space::shared || facts.space == ptx::Space::local ? 0 : inGlobal;
        c.storeShared += facts.space == ptx::Space::shared ? double(t.runs) : inShared;
        c.storeLocal += facts.space == ptx::Space::local ? double(t.runs) : inLocal;
        c.globalStoreRequests += double(t.globalRequests);
        c.globalStoreSectors += double(t.globalSectors);
        c.globalStoreIdealSectors += double(t.idealSectors);
        c.globalStoreBytes += bytes;
    } else {
        c.globalAtomicRequests += double(t.globalRequests);
        c.globalAtomicSectors += double(t.globalSectors);
        c.globalAtomicLanes += facts.isBulk ? bytes / facts.bytes : double(t.globalLanes);
    }
    c.sharedStoreRequests += inShared;
    c.sharedStoreWavefronts += double(t.wavefronts);
    c.sharedIdealWavefronts += double(t.idealWavefronts);
}

void add(LineCounters& c, const InstructionFacts& facts, const InstructionTally& t, bool isFollower, bool conditional,
         bool blockBarrier) {
    c.warpInstructions += double(t.runs);
    c.threadInstructions += double(t.lanes);
    c.threadInstructionsOn += double(t.on);
    if (!isFollower) c.issueSlots += double(t.runs) * facts.halfSlots / 2;
    if (double* of = classOf(c, facts.kind)) *of += double(t.runs);
    if (facts.flops) addFlops(c, facts.precision, double(t.on) * facts.flops);
    if (conditional) c.branches += double(t.runs);
    if (blockBarrier) c.barrierWaits += double(t.runs);
    c.divergentBranches += double(t.diverged);
    if (facts.bytes) addAccess(c, facts, t);
    addWaste(c, facts, t);
}

void addUnique(perf::LaunchCounters& launch, const DeviceMemory& memory, const TouchMap& touched, double factor) {
    constexpr double sectorBytes = 32;
    memory.forEachLive([&](const Allocation& a) {
        const TouchMap::Touched t = touched.within(a.address - DeviceMemory::base, a.bytes);
        // Allocations end within a sector; all of it is fetched.
        const double most = double((a.bytes + 31) / 32) * sectorBytes;
        const auto whole = [&](std::uint64_t sectors) {
            return std::min(most, double(sectors) * sectorBytes * factor);
        };
        launch.uniqueReadBytes += whole(t.loaded);
        launch.uniqueWrittenBytes += whole(t.stored);
        launch.uniqueBytes += whole(t.either);
    });
}

} // namespace

perf::LaunchCounters summarise(const Code& code, const Pipeline& pipeline, const DeviceMemory& memory,
                               const LaunchConfig& config, std::span<const Tally* const> tallies,
                               const TouchMap& touched, std::uint64_t executed) {
    perf::LaunchCounters launch;
    launch.kernel = code.functions[config.function].name;
    launch.grid = config.grid;
    launch.block = config.block;
    launch.staticSharedBytes = code.functions[config.function].staticSharedBytes;
    launch.dynamicSharedBytes = config.dynamicSharedBytes;
    launch.registers = config.registersPerThread;
    launch.sampling = {launch.blocks(), double(executed), false};
    const double factor = executed > 0 ? launch.blocks() / double(executed) : 0;
    std::map<int, LineCounters> lines;
    for (const Inst& inst : code.bodies[config.function].instructions)
        if (inst.source >= 0 && !pipeline.at(std::size_t(inst.source)).joined.isFollower &&
            code.sources[std::size_t(inst.source)].kind != Kind::none)
            launch.codeSlots += code.sources[std::size_t(inst.source)].halfSlots / 2.0;
    for (const FunctionCode& body : code.bodies)
        for (const Inst& inst : body.instructions) {
            if (inst.source < 0) continue;
            const InstructionFacts& facts = code.sources[std::size_t(inst.source)];
            if (facts.kind == Kind::none) continue;
            for (const Tally* tally : tallies) {
                const InstructionTally& t = tally->instructions()[std::size_t(inst.source)];
                if (t.runs == 0) continue;
                const bool conditional = inst.fn == branchIf || inst.fn == branchIndexed;
                add(lines[facts.userLine], facts, t, pipeline.at(std::size_t(inst.source)).joined.isFollower,
                    conditional, inst.fn == barrier && !(inst.bits & 2));
            }
        }
    for (auto& [line, counters] : lines) {
        counters.line = line;
        launch.lines.push_back(perf::scaled(counters, factor));
        launch.totals += launch.lines.back();
    }
    addUnique(launch, memory, touched, factor);
    double followed = 0;
    for (const Tally* tally : tallies) {
        launch.longestWarp = std::max(launch.longestWarp, double(tally->longestWarp()));
        launch.bytesInFlight = std::max(launch.bytesInFlight, double(tally->copiesInFlight().bytes()));
        launch.stagesInFlight = std::max(launch.stagesInFlight, double(tally->copiesInFlight().stages()));
        followed += double(tally->clock().warps());
        launch.blockClocks += tally->clock().clocks();
        launch.blockWaits += tally->clock().waits();
    }
    if (followed > 0) {
        launch.blockClocks /= followed;
        launch.blockWaits /= followed;
    }
    return launch;
}

} // namespace kernelarium::emulator
