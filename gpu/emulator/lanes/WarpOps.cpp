// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exchange between the lanes of a warp: shfl, vote, match, redux, activemask (PTX ISA, "Parallel Synchronization and
// Communication Instructions"). They act on the lanes that are active together. PTX makes them wait for every lane that
// the member mask names; one that is elsewhere takes no part here, and is reported.
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/checks/WarpMembers.h"
#include "gpu/emulator/lanes/Lanes.h"

#include <algorithm>
#include <bit>

namespace kernelarium::emulator::KL_ISA {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Lanes that name different members meet only those of the same mask: runs `each` once for every mask. False where all
/// active lanes name the same. aux: b is the mask.
template <class F> bool byMembers(Warp& w, const Inst* ip, F each) {
    if (!ip->aux) return false;
    const u32* members = at<u32>(w, ip->b);
    const u32 all = w.active, first = members[std::countr_zero(all)];
    bool same = true;
    eachActive(w, [&](u32 i) { same &= members[i] == first; });
    if (same) return false;
    for (u32 rest = all; rest;) {
        const u32 mask = members[std::countr_zero(rest)];
        u32 group = 0;
        for (u32 m = rest; m; m &= m - 1)
            if (members[std::countr_zero(m)] == mask) group |= m & -m;
        w.active = group;
        each();
        rest &= ~group;
    }
    w.active = all;
    return true;
}

enum class Shuffle { up, down, butterfly, index };

// shfl d|p, a, b, c[, membermask]: e is p when bits & 1.
template <Shuffle Mode> const Inst* shfl(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    meetMembers(w, ip);
    alignas(64) u32 source[laneCount];
    std::memcpy(source, at<u32>(w, ip->a), sizeof source);
    const u32* b = at<u32>(w, ip->b);
    const u32* c = at<u32>(w, ip->c);
    u32* d = at<u32>(w, ip->d);
    u32 inRange = 0;
    eachActive(w, [&](u32 lane) {
        const u32 amount = b[lane] & 0x1f;
        const u32 clamp = c[lane] & 0x1f, segment = (c[lane] >> 8) & 0x1f;
        const u32 last = (lane & segment) | (clamp & ~segment);
        const u32 first = lane & segment;
        u32 from = lane;
        bool valid = false;
        if constexpr (Mode == Shuffle::up) {
            from = lane - amount;
            valid = int(from) >= int(last);
        } else if constexpr (Mode == Shuffle::down) {
            from = lane + amount;
            valid = from <= last;
        } else if constexpr (Mode == Shuffle::butterfly) {
            from = lane ^ amount;
            valid = from <= last;
        } else {
            from = first | (amount & ~segment);
            valid = from <= last;
        }
        if (!valid) from = lane;
        d[lane] = source[from & 31];
        inRange |= u32(valid) << lane;
    });
    if (ip->bits & 1) setPredicate(w, ip->e, inRange);
    return ip + 1;
}

// vote.mode d, [!]a[, membermask]: bits & 2 is the negation.
enum class Vote { all, any, uni, ballot };
template <Vote Mode> const Inst* vote(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    meetMembers(w, ip);
    if (byMembers(w, ip, [&] { vote<Mode>(w, ip); })) return ip + 1;
    const u32 p = (predicate(w, ip->a) ^ (ip->bits & 2 ? ~0u : 0u)) & w.active;
    if constexpr (Mode == Vote::ballot) {
        u32* d = at<u32>(w, ip->d);
        each(w, d, [=](u32) { return p; });
    } else {
        const bool yes = Mode == Vote::all ? p == w.active : Mode == Vote::any ? p != 0 : p == 0 || p == w.active;
        setPredicate(w, ip->d, yes ? ~0u : 0u);
    }
    return ip + 1;
}

const Inst* activeMask(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const u32 mask = w.active;
    each(w, d, [=](u32) { return mask; });
    return ip + 1;
}

// match.any d, a, membermask; match.all d|p, a, membermask (bits & 1: there is a p).
template <class T> const Inst* matchAny(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    meetMembers(w, ip);
    if (byMembers(w, ip, [&] { matchAny<T>(w, ip); })) return ip + 1;
    alignas(64) T a[laneCount];
    std::memcpy(a, at<T>(w, ip->a), sizeof a);
    u32* d = at<u32>(w, ip->d);
    eachActive(w, [&](u32 lane) {
        u32 same = 0;
        eachActive(w, [&](u32 other) { same |= u32(a[other] == a[lane]) << other; });
        d[lane] = same;
    });
    return ip + 1;
}
template <class T> const Inst* matchAll(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    meetMembers(w, ip);
    if (byMembers(w, ip, [&] { matchAll<T>(w, ip); })) return ip + 1;
    const T* a = at<T>(w, ip->a);
    const T first = a[std::countr_zero(w.active)];
    bool same = true;
    eachActive(w, [&](u32 lane) { same &= a[lane] == first; });
    const u32 mask = same ? w.active : 0;
    u32* d = at<u32>(w, ip->d);
    each(w, d, [=](u32) { return mask; });
    if (ip->bits & 1) setPredicate(w, ip->e, same ? ~0u : 0u);
    return ip + 1;
}

enum class Redux { add, min, max, and_, or_, xor_ };
template <Redux O, class T> const Inst* redux(Warp& w, const Inst* ip) {
    spreadUnknown(w);
    meetMembers(w, ip);
    if (byMembers(w, ip, [&] { redux<O, T>(w, ip); })) return ip + 1;
    const T* a = at<T>(w, ip->a);
    const u32 lead = u32(std::countr_zero(w.active));
    T r = a[lead];
    eachActive(w, [&](u32 i) {
        if (i == lead) return;
        if constexpr (O == Redux::add)
            r = T(u32(r) + u32(a[i]));
        else if constexpr (O == Redux::min)
            r = std::min(r, a[i]);
        else if constexpr (O == Redux::max)
            r = std::max(r, a[i]);
        else if constexpr (O == Redux::and_)
            r = T(r & a[i]);
        else if constexpr (O == Redux::or_)
            r = T(r | a[i]);
        else
            r = T(r ^ a[i]);
    });
    T* d = at<T>(w, ip->d);
    each(w, d, [=](u32) { return r; });
    return ip + 1;
}

Handler reduxHandler(const ptx::Instruction& i) {
    const bool isSigned = i.has("s32");
    if (i.has("add")) return redux<Redux::add, u32>;
    if (i.has("min")) return isSigned ? redux<Redux::min, std::int32_t> : redux<Redux::min, u32>;
    if (i.has("max")) return isSigned ? redux<Redux::max, std::int32_t> : redux<Redux::max, u32>;
    if (i.has("and")) return redux<Redux::and_, u32>;
    if (i.has("or")) return redux<Redux::or_, u32>;
    if (i.has("xor")) return redux<Redux::xor_, u32>;
    return nullptr;
}

} // namespace

Handler warpHandler(std::string_view opcode, const ptx::Instruction& i) {
    if (opcode == "shfl") {
        if (i.has("up")) return shfl<Shuffle::up>;
        if (i.has("down")) return shfl<Shuffle::down>;
        if (i.has("bfly")) return shfl<Shuffle::butterfly>;
        return i.has("idx") ? shfl<Shuffle::index> : nullptr;
    }
    if (opcode == "vote") {
        if (i.has("all")) return vote<Vote::all>;
        if (i.has("any")) return vote<Vote::any>;
        if (i.has("uni")) return vote<Vote::uni>;
        return i.has("ballot") ? vote<Vote::ballot> : nullptr;
    }
    if (opcode == "activemask") return activeMask;
    if (opcode == "match") {
        const bool wide = i.has("b64");
        if (i.has("any")) return wide ? matchAny<u64> : matchAny<u32>;
        return wide ? matchAll<u64> : matchAll<u32>;
    }
    if (opcode == "redux") return i.has("f32") ? nullptr : reduxHandler(i);
    return nullptr;
}

} // namespace kernelarium::emulator::KL_ISA
