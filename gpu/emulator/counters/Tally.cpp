// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/Tally.h"

#include "gpu/emulator/async/BulkPlaces.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <algorithm>
#include <bit>

namespace kernelarium::emulator {

namespace {

using Kind = InstructionClass;
using ptx::Space;

constexpr std::uint64_t lineShift = 7;

bool diverges(const Warp& w, const Inst* ip) {
    if (ip->fn == branchIf) {
        const std::uint32_t taken = guardMask(w, ip);
        return taken != 0 && taken != w.active;
    }
    if (ip->fn != branchIndexed) return false;
    const std::uint32_t* index = lanesOf<std::uint32_t>(w, ip->a);
    const std::uint32_t first = index[std::countr_zero(w.active)];
    for (std::uint32_t m = w.active; m; m &= m - 1)
        if (index[std::countr_zero(m)] != first) return true;
    return false;
}

/// Local memory is laid out so that one word of all lanes stands side by side (CUDA C++ Programming Guide, "Local
/// Memory").
std::uint64_t localSectors(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t bytes) {
    std::uint64_t sectors[laneCount * 4];
    std::size_t n = 0;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t last = (at[lane] + bytes - 1) / 4;
        for (std::uint64_t word = at[lane] / 4; word <= last && n < std::size(sectors); ++word)
            sectors[n++] = word * 4 + lane / 8;
    }
    std::sort(sectors, sectors + n);
    return std::uint64_t(std::unique(sectors, sectors + n) - sectors);
}

/// Distinct addresses of 32 lanes that lie side by side or at one place, as most do; 0 of others.
std::uint32_t placesOfRow(const std::uint64_t* at, std::uint32_t bytes) {
    std::uint64_t differs = 0, strays = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const std::uint64_t x = at[i] - at[0];
        differs |= x;
        strays |= x ^ (std::uint64_t(i) * bytes);
    }
    return differs == 0 ? 1 : strays == 0 ? laneCount : 0;
}

/// popcount, which is a call where the compiler may not use the instruction.
std::uint32_t lanesIn(std::uint32_t mask) {
    return mask == ~0u ? laneCount : std::uint32_t(std::popcount(mask));
}

} // namespace

Tally::Tally(const Code& code, const Pipeline& pipeline, std::uint32_t function, const CountOptions& options,
             TouchMap& touched)
    : m_code(code)
    , m_pipeline(pipeline)
    , m_touched(touched)
    , m_l1(options.l1Bytes)
    , m_l2(options.l2Bytes)
    , m_instructions(code.sources.size())
    , m_clock(pipeline, options.machineLoads > 0 && options.machineLoads <= pipeline.globalLoads(function)) {}

/// The first warp of a block, of one block at a time: where warps do different things, it is mostly the first that does
/// what the others wait for.
bool Tally::isFollowed(const Warp& w) {
    if (w.index != 0) return false;
    if (!m_followed) {
        m_followed = w.block;
        m_clock.begin(w.block->warps.size());
    }
    return m_followed == w.block;
}

void Tally::endWarp(const Warp& w) {
    m_longestWarp = std::max(m_longestWarp, w.spent);
    m_copiesInFlight.endWarp(w);
    if (w.index != 0 || m_followed != w.block) return;
    m_clock.end();
    m_followed = nullptr;
}

void Tally::observe(const Warp& w, const Inst* ip) {
    if (ip->source < 0) return;
    if (ip->fn == predicated) {
        // Where all lanes are on, the instruction itself comes next by itself.
        const std::uint32_t on = guardMask(w, ip);
        if (on != w.active) count(w, ip + 1, on);
        return;
    }
    count(w, ip, w.active);
}

void Tally::count(const Warp& w, const Inst* ip, std::uint32_t on) {
    const InstructionFacts& facts = m_code.sources[std::size_t(ip->source)];
    if (facts.kind == Kind::none) return;
    InstructionTally& t = m_instructions[std::size_t(ip->source)];
    ++m_executed;
    ++t.runs;
    t.lanes += lanesIn(w.active);
    t.on += lanesIn(on);
    AccessOutcome outcome;
    switch (facts.kind) {
    case Kind::control: t.diverged += diverges(w, ip); break;
    case Kind::load:
    case Kind::store:
    case Kind::atomic: outcome = access(w, ip, facts, t, on); break;
    case Kind::barrier: m_copiesInFlight.look(w); break;
    default: break;
    }
    if (isFollowed(w)) m_clock.step(std::size_t(ip->source), facts, outcome);
}

AccessOutcome Tally::access(const Warp& w, const Inst* ip, const InstructionFacts& facts, InstructionTally& t,
                            std::uint32_t on) {
    const std::uint64_t l2Sectors = t.l2Sectors, wavefronts = t.wavefronts, lines = t.lines,
                        sharedRequests = t.sharedRequests;
    if (facts.isBulk) {
        bulk(w, ip, facts, t, on);
    } else if (facts.isFragment) {
        fragment(w, ip, facts, t, on);
    } else if (on & facts.lanes) {
        std::uint64_t at[laneCount];
        readAddresses(w, ip, facts.wideAddress, at);
        accessAt(at, facts, m_pipeline.at(std::size_t(ip->source)).joined, t, on & facts.lanes);
    }
    const bool follows = facts.space == Space::shared; // of a joined access: it waits where the first one does
    return {t.l2Sectors != l2Sectors, std::uint32_t(t.wavefronts - wavefronts), std::uint32_t(t.lines - lines),
            t.sharedRequests != sharedRequests || follows};
}

/// A request for each register of the fragment, or for each element where those of a register do not lie together.
void Tally::fragment(const Warp& w, const Inst* ip, InstructionFacts facts, InstructionTally& t, std::uint32_t on) {
    if (!on) return;
    std::uint64_t at[laneCount];
    readAddresses(w, ip, facts.wideAddress, at);
    const auto lead = std::size_t(std::countr_zero(on));
    const MatrixAccess& m = m_code.matrixAccesses[ip->aux];
    const std::uint64_t stride =
        m.hasStride ? lanesOf<std::uint32_t>(w, m.strideRegister)[lead] : std::uint64_t(m.stride);
    const FragmentWalk walk{at[lead], stride, m};
    facts.bytes = std::uint8_t(m.packed ? 4 : bitsOf(m.fragment.element) / 8);
    for (std::uint32_t r = 0; r < m.fragment.map.unique; ++r)
        for (std::uint32_t i = 0; i < m.fragment.map.perRegister; i += walk.step()) {
            walk.addresses(r, i, at);
            accessAt(at, facts, {}, t, on);
        }
}

/// Whole lines, past the L1.
void Tally::bulk(const Warp& w, const Inst* ip, const InstructionFacts& facts, InstructionTally& t, std::uint32_t on) {
    const BulkOp& op = m_code.bulkOps[ip->aux];
    for (std::uint32_t m = on; m; m &= m - 1) {
        ++t.globalRequests;
        for (const BulkCopy::Piece& p : globalPieces(w, op, std::uint32_t(std::countr_zero(m)))) {
            if (p.bytes == 0) continue;
            const std::uint64_t first = p.other - DeviceMemory::base;
            const std::uint64_t begin = first >> TouchMap::sectorShift;
            const std::uint64_t last = (first + p.bytes - 1) >> TouchMap::sectorShift;
            for (std::uint64_t line = begin >> 2; line <= last >> 2; ++line) {
                const std::uint32_t from = line == begin >> 2 ? 0xfu << (begin & 3) & 0xfu : 0xfu;
                const std::uint32_t to = line == last >> 2 ? 0xfu >> (3 - (last & 3)) : 0xfu;
                touchLine(line, from & to, facts.kind, t, false);
            }
            t.globalLanes += p.bytes; // of a byte each
            t.idealSectors += (p.bytes + 31) / 32;
        }
    }
}

void Tally::accessAt(std::uint64_t* at, const InstructionFacts& facts, const JoinedAccess& joined, InstructionTally& t,
                     std::uint32_t on) {
    std::uint32_t inGlobal = 0, inShared = 0, inLocal = 0;
    if (facts.space == Space::shared)
        inShared = on;
    else if (facts.space == Space::local)
        inLocal = on;
    else if ((inGlobal = lanesInWindow(at, on, DeviceMemory::base)) != on) {
        inShared = lanesInWindow(at, on, window::shared);
        inLocal = lanesInWindow(at, on, window::local);
    }
    if (inGlobal) global(at, inGlobal, facts, t);
    constexpr std::uint64_t inside = (std::uint64_t(1) << window::shift) - 1;
    if (inShared | inLocal)
        for (std::uint32_t i = 0; i < laneCount; ++i)
            at[i] &= inside;
    if (inShared && !joined.isFollower) shared(at, inShared, facts, joined, t);
    if (inLocal) {
        ++t.localRequests;
        t.localSectors += localSectors(at, inLocal, facts.bytes);
    }
}

void Tally::shared(std::uint64_t* at, std::uint32_t lanes, const InstructionFacts& facts, const JoinedAccess& joined,
                   InstructionTally& t) {
    if (joined.shift)
        for (std::uint32_t i = 0; i < laneCount; ++i)
            at[i] += std::uint64_t(std::int64_t(joined.shift));
    const std::uint32_t bytes = joined.bytes ? joined.bytes : facts.bytes;
    const SharedCost cost = sharedCost(at, lanes, bytes, facts.kind == Kind::atomic);
    ++t.sharedRequests;
    t.wavefronts += cost.wavefronts;
    t.idealWavefronts += cost.ideal;
    if (cost.wavefronts > cost.ideal) addWaste(t, cost.wavefronts, cost.ideal, laneStride(at, lanes));
}

/// The same of 32 lanes side by side, or (one distinct address) at one place: no lane need be looked at.
void Tally::globalRow(std::uint64_t first, std::uint32_t distinct, const InstructionFacts& facts, InstructionTally& t) {
    ++t.globalRequests;
    t.globalLanes += laneCount;
    const std::uint64_t bytes = std::uint64_t(distinct) * facts.bytes;
    const std::uint64_t begin = first >> TouchMap::sectorShift, last = (first + bytes - 1) >> TouchMap::sectorShift;
    const std::uint64_t sectorsBefore = t.globalSectors;
    for (std::uint64_t line = begin >> 2; line <= last >> 2; ++line) {
        const std::uint32_t from = line == begin >> 2 ? 0xfu << (begin & 3) & 0xfu : 0xfu;
        const std::uint32_t to = line == last >> 2 ? 0xfu >> (3 - (last & 3)) : 0xfu;
        touchLine(line, from & to, facts.kind, t);
    }
    const std::uint64_t ideal = (bytes + 31) / 32, cost = t.globalSectors - sectorsBefore;
    t.idealSectors += ideal;
    if (cost > ideal) addWaste(t, cost, ideal, distinct == 1 ? 0 : std::int64_t(facts.bytes));
}

void Tally::global(const std::uint64_t* generic, std::uint32_t lanes, const InstructionFacts& facts,
                   InstructionTally& t) {
    if (const std::uint32_t distinct = lanes == ~0u ? placesOfRow(generic, facts.bytes) : 0)
        return globalRow(generic[0] - DeviceMemory::base, distinct, facts, t);
    std::uint64_t at[laneCount];
    std::uint32_t n = 0;
    bool sorted = true;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        at[n] = generic[std::countr_zero(m)] - DeviceMemory::base;
        sorted &= n == 0 || at[n - 1] <= at[n];
        ++n;
    }
    if (!sorted) std::sort(at, at + n);
    ++t.globalRequests;
    t.globalLanes += n;
    // Lines in ascending order, each with the sectors that its lanes touch.
    std::uint64_t line = ~std::uint64_t(0), previous = ~std::uint64_t(0);
    std::uint32_t sectors = 0, distinct = 0;
    const std::uint64_t sectorsBefore = t.globalSectors;
    for (std::uint32_t i = 0; i < n; ++i) {
        distinct += at[i] != previous;
        previous = at[i];
        const std::uint64_t last = (at[i] + facts.bytes - 1) >> TouchMap::sectorShift;
        for (std::uint64_t s = at[i] >> TouchMap::sectorShift; s <= last; ++s) {
            if (s >> 2 != line) {
                if (sectors) touchLine(line, sectors, facts.kind, t);
                line = s >> 2;
                sectors = 0;
            }
            sectors |= 1u << (s & 3);
        }
    }
    if (sectors) touchLine(line, sectors, facts.kind, t);
    const std::uint64_t ideal = (std::uint64_t(distinct) * facts.bytes + 31) / 32;
    t.idealSectors += ideal;
    const std::uint64_t cost = t.globalSectors - sectorsBefore;
    if (cost > ideal) addWaste(t, cost, ideal, laneStride(generic, lanes));
}

void Tally::touchLine(std::uint64_t line, std::uint32_t sectors, Kind kind, InstructionTally& t, bool throughL1) {
    static_assert(lineShift == TouchMap::sectorShift + 2);
    ++t.lines;
    t.globalSectors += std::uint64_t(std::popcount(sectors));
    std::uint32_t passed = sectors;
    if (kind == Kind::load) {
        if (throughL1) passed = m_l1.access(line, sectors);
        if (passed) {
            const std::uint32_t again = m_loaded.load(line, passed);
            t.l2Sectors += std::uint64_t(std::popcount(passed));
            t.againSectors += std::uint64_t(std::popcount(again));
            t.lostSectors += std::uint64_t(std::popcount(again & m_l2.access(line, passed)));
        }
    } else {
        if (kind == Kind::store && throughL1) m_l1.access(line, sectors);
        m_l2.access(line, sectors);
    }
    for (std::uint32_t s = passed; s; s &= s - 1) {
        const std::uint64_t sector = line << 2 | std::uint64_t(std::countr_zero(s));
        if (kind == Kind::store)
            m_touched.store(sector);
        else
            m_touched.load(sector);
        if (kind == Kind::atomic) m_touched.store(sector);
    }
}

void interpretCounting(Warp& w) {
    const Inst* ip = w.ip;
    Tally& tally = *w.worker->tally;
    const std::uint64_t before = tally.warpInstructions();
    w.pause = Pause::none;
    while (ip) {
        tally.observe(w, ip);
        ip = ip->fn(w, ip);
    }
    w.spent += tally.warpInstructions() - before;
}

} // namespace kernelarium::emulator
