// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/control/Control.h"

#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <chrono>

namespace kernelarium::emulator {

namespace {

std::uint32_t& mask(Warp& w, Opd o) {
    return *lanesOf<std::uint32_t>(w, o);
}

/// Opens a join at `meet` unless the current path already ends there.
void openJoin(Warp& w, const Inst* meet) {
    if (!meet || w.reconverge == meet) return;
    w.paths.push_back({meet, w.reconverge, w.active});
    w.reconverge = meet;
}

} // namespace

const Inst* enterBlock(Warp& w, const Inst* ip) {
    if ((ip->bits & 1) && w.reconverge == ip) {
        const Inst* next = nextPath(w);
        if (next != ip) return next;
    }
    Worker& k = *w.worker;
    ++k.blockRuns[ip->aux];
    // popcount is a call where the compiler may not use the instruction.
    k.blockLanes[ip->aux] += w.active == ~0u ? laneCount : std::uint64_t(std::popcount(w.active));
    w.fuel -= ip->imm;
    if (w.fuel < 0) [[unlikely]] {
        w.ip = ip + 1;
        w.pause = Pause::slice;
        return nullptr;
    }
    return ip + 1;
}

const Inst* predicated(Warp& w, const Inst* ip) {
    const std::uint32_t p = mask(w, ip->a) ^ (ip->bits & 1 ? ~0u : 0u);
    const std::uint32_t all = w.active;
    const std::uint32_t on = all & p;
    if (on == 0) return ip + 2;
    const Inst* inner = ip + 1;
    if (on == all) return inner;
    w.active = on;
    const Inst* next = inner->fn(w, inner);
    w.active = all;
    return next;
}

const Inst* branch(Warp&, const Inst* ip) {
    return ip->target;
}

const Inst* branchIf(Warp& w, const Inst* ip) {
    const std::uint32_t p = mask(w, ip->a) ^ (ip->bits & 1 ? ~0u : 0u);
    const std::uint32_t taken = w.active & p;
    if (taken == 0) return ip + 1;
    if (taken == w.active) return ip->target;
    const std::uint32_t other = w.active & ~p;
    const Inst* meet = ip->reconverge;
    openJoin(w, meet);
    // Lanes that go straight to the meeting point only wait there.
    if (meet && ip->target == meet) {
        w.active = other;
        return ip + 1;
    }
    const bool both = !meet || ip + 1 != meet;
    w.worker->lanesTookTurns |= both;
    if (both && w.worker->contraryLanes) {
        w.paths.push_back({ip->target, w.reconverge, taken});
        w.active = other;
        return ip + 1;
    }
    if (both) w.paths.push_back({ip + 1, w.reconverge, other});
    w.active = taken;
    return ip->target;
}

const Inst* branchIndexed(Warp& w, const Inst* ip) {
    const std::vector<const Inst*>& table = w.worker->launch->code->branchTables[ip->aux];
    const std::uint32_t* index = lanesOf<std::uint32_t>(w, ip->a);
    std::uint32_t rest = w.active;
    openJoin(w, ip->reconverge);
    const Inst* first = nullptr;
    std::uint32_t firstMask = 0;
    const bool contrary = w.worker->contraryLanes;
    while (rest) {
        const std::uint32_t value = index[contrary ? 31 - std::countl_zero(rest) : std::countr_zero(rest)];
        std::uint32_t same = 0;
        for (std::uint32_t m = rest; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            same |= std::uint32_t(index[lane] == value) << lane;
        }
        rest &= ~same;
        if (value >= table.size()) return trap(w, ip, "an indexed branch left its table");
        const Inst* target = table[value];
        if (target == ip->reconverge) continue;
        if (first) {
            w.paths.push_back({first, w.reconverge, firstMask});
            w.worker->lanesTookTurns = true;
        }
        first = target;
        firstMask = same;
    }
    if (!first) return nextPath(w);
    w.active = firstMask;
    return first;
}

bool pushFrame(Warp& w, std::uint32_t function, std::uint32_t entering, const Inst* call) {
    const Code& code = *w.worker->launch->code;
    const FunctionCode& callee = code.bodies[function];
    Frame f;
    f.function = function;
    f.registerBase = w.rootRegister;
    f.localBase = w.rootLocal;
    if (!w.frames.empty()) {
        const Frame& caller = w.frames.back();
        const FunctionCode& from = code.bodies[caller.function];
        f.registerBase = caller.registerBase + from.registerBytes;
        f.localBase = (caller.localBase + from.localBytes + 15) & ~15u;
    }
    if (f.localBase + callee.localBytes > w.localStride || w.frames.size() > 20000) {
        trap(w, call ? call : callee.entry, "the call stack is exhausted");
        return false;
    }
    f.pathBase = std::uint32_t(w.paths.size());
    f.callMask = f.running = entering;
    f.call = call;
    f.callerReconverge = w.reconverge;
    f.serial = ++w.frameSerial;
    w.registers.resize(f.registerBase + callee.registerBytes);
    w.base[0] = w.registers.data() + f.registerBase;
    w.localBase = f.localBase;
    w.reconverge = nullptr;
    w.frames.push_back(f);
    const std::uint32_t bytes = callee.localBytes - callee.depotOffset;
    if (bytes && w.block)
        for (std::uint32_t m = entering; m; m &= m - 1) {
            const std::size_t at = std::size_t(std::countr_zero(m)) * w.localStride + f.localBase + callee.depotOffset;
            if (w.localStates) std::memset(w.localStates + at, 0, bytes);
            const std::uint32_t poison = w.worker->launch->options->poison;
            for (std::uint32_t k = 0; k + 4 <= bytes; k += 4)
                std::memcpy(w.local + at + k, &poison, 4);
        }
    return true;
}

void moveValues(Warp& w, const std::vector<CallSite::Move>& moves, std::uint32_t callerBase, std::uint32_t calleeBase,
                bool toCallee, std::uint32_t which) {
    for (const CallSite::Move& m : moves)
        for (std::uint32_t rest = which; rest; rest &= rest - 1) {
            const std::size_t lane = std::size_t(std::countr_zero(rest)) * w.localStride;
            const std::size_t outer = lane + callerBase + m.caller, inner = lane + calleeBase + m.callee;
            const std::size_t to = toCallee ? inner : outer, from = toCallee ? outer : inner;
            std::memcpy(w.local + to, w.local + from, m.bytes);
            if (w.localStates) std::memcpy(w.localStates + to, w.localStates + from, m.bytes);
        }
}

namespace {

bool sameBytes(const std::vector<CallSite::Move>& moves, const std::vector<std::uint32_t>& bytes) {
    if (moves.size() != bytes.size()) return false;
    for (std::size_t k = 0; k < moves.size(); ++k)
        if (moves[k].bytes != bytes[k]) return false;
    return true;
}

/// Starts (or continues) the call for the lanes in `waiting` that share the first one's target.
const Inst* enterCall(Warp& w, const Inst* ip, std::uint32_t all, std::uint32_t waiting) {
    const Code& code = *w.worker->launch->code;
    const CallSite& site = code.callSites[ip->aux];
    std::uint32_t function = site.function;
    std::uint32_t group = waiting;
    if (site.indirect) {
        const std::uint64_t* target = lanesOf<std::uint64_t>(w, ip->a);
        const std::uint64_t address = target[std::countr_zero(waiting)];
        group = 0;
        for (std::uint32_t m = waiting; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            group |= std::uint32_t(target[lane] == address) << lane;
        }
        const std::uint64_t index = (address - window::function) / window::functionStep;
        if (address < window::function || index >= code.bodies.size())
            return trap(w, ip, "a call through a pointer that is not a function");
        function = std::uint32_t(index);
    }
    if (!code.bodies[function].entry) {
        w.ip = ip;
        w.pause = Pause::externCall;
        w.pauseArgument = function;
        return nullptr;
    }
    const FunctionCode& body = code.bodies[function];
    if (site.indirect &&
        !(sameBytes(site.parameters, body.parameterBytes) && sameBytes(site.results, body.resultBytes)))
        return trap(w, ip, "a call through a pointer to a function of another signature");
    const std::uint32_t callerBase = w.localBase;
    if (!pushFrame(w, function, all, ip)) return nullptr;
    Frame& f = w.frames.back();
    f.running = group;
    f.pending = waiting & ~group;
    std::vector<CallSite::Move> moves = site.parameters;
    for (std::size_t k = 0; k < moves.size(); ++k)
        moves[k].callee = body.parameterOffsets[k];
    moveValues(w, moves, callerBase, f.localBase, true, group);
    w.active = group;
    return body.entry;
}

/// The lanes running in the top frame have all returned: back to the caller, or on to the next target.
const Inst* leaveFrame(Warp& w) {
    const Code& code = *w.worker->launch->code;
    const Frame f = w.frames.back();
    w.frames.pop_back();
    const Frame& caller = w.frames.back();
    const CallSite& site = code.callSites[f.call->aux];
    std::vector<CallSite::Move> moves = site.results;
    const FunctionCode& body = code.bodies[f.function];
    for (std::size_t k = 0; k < moves.size(); ++k)
        moves[k].callee = body.resultOffsets[k];
    moveValues(w, moves, caller.localBase, f.localBase, false, f.running & w.live);
    w.base[0] = w.registers.data() + caller.registerBase;
    w.localBase = caller.localBase;
    w.reconverge = f.callerReconverge;
    const std::uint32_t pending = f.pending & w.live;
    if (pending) return enterCall(w, f.call, f.callMask, pending);
    w.active = f.callMask & w.live;
    return w.active ? f.call + 1 : nextPath(w);
}

} // namespace

const Inst* callFunction(Warp& w, const Inst* ip) {
    return enterCall(w, ip, w.active, w.active);
}

const Inst* nextPath(Warp& w) {
    while (true) {
        const std::uint32_t base = w.frames.empty() ? 0 : w.frames.back().pathBase;
        while (w.paths.size() > base) {
            const Path p = w.paths.back();
            w.paths.pop_back();
            if (const std::uint32_t rest = p.mask & w.live) {
                w.active = rest;
                w.reconverge = p.reconverge;
                return p.pc;
            }
        }
        if (w.frames.size() <= 1) {
            w.active = 0;
            w.pause = Pause::done;
            return nullptr;
        }
        return leaveFrame(w);
    }
}

void removeLanes(Warp& w, std::uint32_t gone) {
    for (Path& p : w.paths)
        p.mask &= ~gone;
    for (Frame& f : w.frames) {
        f.callMask &= ~gone;
        f.running &= ~gone;
        f.pending &= ~gone;
    }
}

const Inst* returnFrom(Warp& w, const Inst* ip) {
    if (w.frames.size() <= 1) return exitThread(w, ip);
    const std::uint32_t base = w.frames.back().pathBase;
    for (std::size_t k = base; k < w.paths.size(); ++k)
        w.paths[k].mask &= ~w.active;
    return nextPath(w);
}

const Inst* exitThread(Warp& w, const Inst* ip) {
    w.live &= ~w.active;
    w.ip = ip;
    if (!w.live && !w.asyncCopies.copies.empty()) abandonCopies(w);
    if (w.block) w.block->finishedThreads += std::uint32_t(std::popcount(w.active));
    return nextPath(w);
}

const Inst* trapInstruction(Warp& w, const Inst* ip) {
    return trap(w, ip, "the kernel executed a trap instruction");
}

const Inst* nothing(Warp&, const Inst* ip) {
    return ip + 1;
}

const Inst* frameAddress(Warp& w, const Inst* ip) {
    const std::uint64_t address = std::uint64_t(ip->imm) + w.localBase + (ip->bits & 1 ? window::local : 0);
    std::uint64_t* d = lanesOf<std::uint64_t>(w, ip->d);
    for (std::uint32_t m = w.active; m; m &= m - 1)
        d[std::countr_zero(m)] = address;
    return ip + 1;
}

const Inst* testSpace(Warp& w, const Inst* ip) {
    const std::uint64_t* a = lanesOf<std::uint64_t>(w, ip->a);
    std::uint32_t& p = mask(w, ip->d);
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint32_t inside = (a[lane] >> window::shift) == std::uint64_t(ip->imm) ? 1u : 0u;
        p = (p & ~(1u << lane)) | inside << lane;
    }
    return ip + 1;
}

const Inst* readClock(Warp& w, const Inst* ip) {
    std::uint64_t now = ++w.worker->sequence * 4;
    if (w.worker->hostOwner) { // clock() of the C library, in microseconds
        static const auto begin = std::chrono::steady_clock::now();
        const auto passed = std::chrono::steady_clock::now() - begin;
        now = std::uint64_t(std::chrono::duration_cast<std::chrono::microseconds>(passed).count());
    }
    if (ip->imm)
        now = std::uint64_t(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count());
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (ip->bits == 8)
            lanesOf<std::uint64_t>(w, ip->d)[lane] = now;
        else
            lanesOf<std::uint32_t>(w, ip->d)[lane] = std::uint32_t(now);
    }
    return ip + 1;
}

} // namespace kernelarium::emulator
