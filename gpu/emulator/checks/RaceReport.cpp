// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/RaceReport.h"

#include <fmt/format.h>

namespace kernelarium::emulator {

using race::Record;

namespace {

Dim3 threadAt(const LaunchConfig& c, std::uint32_t thread) {
    return {thread % c.block[0], thread / c.block[0] % c.block[1], thread / c.block[0] / c.block[1]};
}

FaultParty partyOf(const Warp& w, race::Record r) {
    const LaunchState& launch = *w.worker->launch;
    const LaunchConfig& c = *launch.config;
    return {launch.blockAt(race::blockOf(r) - launch.firstRaceBlock),
            threadAt(c, race::warpOf(r) * laneCount + race::laneOf(r)), launch.code->sites[race::siteOf(r)].line};
}

/// `blocks`: the parties are of different ones.
std::string placeOf(const Warp& w, const FoundRace& f, bool blocks) {
    if (f.region.kind == Region::Kind::shared) {
        const Dim3& b = memoryOf(w).index;
        const std::string of = blocks ? fmt::format(" of block ({}, {}, {})", b[0], b[1], b[2]) : std::string();
        return fmt::format("offset {} of shared memory{}", f.offset, of);
    }
    const Allocation* a = w.worker->launch->memory->find(DeviceMemory::base + f.offset);
    return a ? fmt::format("byte {} of {}", DeviceMemory::base + f.offset - a->address, a->label) : "global memory";
}

bool isOneWarp(const Warp& w, const FoundRace& f) {
    return f.earlier != 0 && race::isOwn(f.earlier, w.raceKey);
}

verify::RaceEffect effectOf(const Warp& w, const Inst* ip, const FoundRace& f) {
    if (f.effect) return *f.effect;
    const std::vector<AccessSite>& sites = w.worker->launch->code->sites;
    const AccessRole now = sites[race::siteOf(recordOf(w, ip))].role;
    const AccessRole earlier = sites[f.earlier ? race::siteOf(f.earlier) : f.likelySite].role;
    if (f.stores && f.stored && !f.sameValue) {
        if (now == AccessRole::update && earlier == AccessRole::update) return verify::RaceEffect::lost_update;
        if (isOneWarp(w, f)) return verify::RaceEffect::undefined_winner;
    }
    const bool guarded = (now == AccessRole::atomic && earlier == AccessRole::guard) ||
                         (now == AccessRole::guard && earlier == AccessRole::atomic);
    return guarded ? verify::RaceEffect::guarded : verify::RaceEffect::order;
}

std::string threadText(const FaultParty& p, bool withBlock) {
    std::string text = fmt::format("thread ({}, {}, {})", p.thread[0], p.thread[1], p.thread[2]);
    if (withBlock) text += fmt::format(" of block ({}, {}, {})", p.block[0], p.block[1], p.block[2]);
    if (p.line) text += fmt::format(" at line {}", p.line);
    return text;
}

std::string messageOf(const Warp& w, const FoundRace& f, const Fault& fault) {
    const FaultParty now{fault.block, fault.thread, fault.line};
    const bool blocks = fault.other && fault.other->block != fault.block;
    const std::string place = placeOf(w, f, blocks);
    if (!fault.other)
        return fmt::format("Race on {} bytes at {}: {} writes them and other warps of the block have read "
                           "them; nothing orders the two.",
                           f.bytes, place, threadText(now, false));
    if (fault.effect == verify::RaceEffect::lanes)
        return fmt::format("Race within a warp on {} bytes at {}: {} {} them and {} wrote them, with no __syncwarp in "
                           "between.",
                           f.bytes, place, threadText(now, false), f.stores ? "updates" : "reads",
                           threadText(*fault.other, false));
    if (fault.effect == verify::RaceEffect::unfenced)
        return fmt::format("Data is handed over without a fence: {} reads {} bytes at {} after another store of the "
                           "same thread, {}, and nothing keeps these two stores in this order.",
                           threadText(now, blocks), f.bytes, place, threadText(*fault.other, blocks));
    if (isOneWarp(w, f))
        return fmt::format("Race on {} bytes at {}: {} and {} store different values there in the same instruction.",
                           f.bytes, place, threadText(now, false), threadText(*fault.other, false));
    const char* lacking = blocks ? "nothing that orders the two" : "no barrier";
    return fmt::format("Race on {} bytes at {}: {} {} them and {} {} them, with {} in between.", f.bytes, place,
                       threadText(now, blocks), f.stores ? "writes" : "reads", threadText(*fault.other, blocks),
                       f.stored ? "wrote" : "read", lacking);
}

/// A copy into what a product reads. Values that came out right by chance do not make it right: the copy is begun
/// anywhere between the product's beginning and its end.
bool isRefill(const Warp& w, const Inst* ip, const FoundRace& f) {
    const Code& code = *w.worker->launch->code;
    return f.stores && !f.stored && f.earlier && ip->source >= 0 && code.sources[std::size_t(ip->source)].isBulk &&
           code.sites[race::siteOf(f.earlier)].role == AccessRole::product;
}

std::string refillText(const FoundRace& f, const Fault& fault) {
    return fmt::format(
        "A copy into shared memory, offset {}, begins while a product of {} may still read there: nothing "
        "lets the copy wait until its warps have waited for it (wgmma.wait_group).",
        f.offset, threadText(*fault.other, fault.other->block != fault.block));
}

} // namespace

void reportRace(Warp& w, const Inst* ip, std::uint32_t lane, const FoundRace& f) {
    // Lines and what was done identify a kind of race; a record's block and thread do not.
    const verify::RaceEffect effect = effectOf(w, ip, f);
    const std::uint64_t key = Record(race::siteOf(recordOf(w, ip))) << 32 | Record(race::siteOf(f.earlier)) << 8 |
                              std::uint32_t(effect) << 3 | (f.stores ? 4u : 0u) | (f.stored ? 2u : 0u) |
                              (f.sameValue ? 1u : 0u);
    const auto [entry, fresh] = w.worker->races.try_emplace(key);
    if (!fresh) {
        ++entry->second.count;
        return;
    }
    Fault fault = faultAt(w, ip, lane);
    fault.kind = "race";
    fault.sameValue = f.sameValue;
    fault.effect = effect;
    if (f.earlier) fault.other = partyOf(w, f.earlier);
    fault.message = messageOf(w, f, fault);
    if (isRefill(w, ip, f)) {
        fault.kind = "async_overwrite";
        fault.message = refillText(f, fault);
    }
    entry->second = fault;
    entry->second.count = 0;
    w.worker->launch->faults->add(std::move(fault));
}

void flushRaceCounts(Worker& worker) {
    for (auto& [key, fault] : worker.races)
        if (fault.count) worker.launch->faults->add(std::move(fault));
    worker.races.clear();
}

} // namespace kernelarium::emulator
