// SPDX-License-Identifier: GPL-3.0-or-later
//
// mov between registers, and between a register and the parts of a vector.
#include "gpu/emulator/lanes/Lanes.h"

namespace kernelarium::emulator::KL_ISA {

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
struct alignas(16) u128 {
    u64 low, high;
};

template <class T> const Inst* mov(Warp& w, const Inst* ip) {
    T* d = at<T>(w, ip->d);
    const T* a = at<T>(w, ip->a);
    each(w, d, [=](u32 i) { return a[i]; });
    return ip + 1;
}
const Inst* movPredicate(Warp& w, const Inst* ip) {
    setPredicate(w, ip->d, predicate(w, ip->a));
    return ip + 1;
}

/// mov.b64 d, {a, b}: aux is the list, its elements as wide as bits says.
template <class D, class P> const Inst* pack(Warp& w, const Inst* ip) {
    D* d = at<D>(w, ip->d);
    const std::vector<Opd>& parts = w.worker->launch->code->operandLists[ip->aux];
    alignas(64) D fresh[laneCount] = {};
    for (u32 k = 0; k < parts.size(); ++k) {
        const P* p = at<P>(w, parts[k]);
        for (u32 i = 0; i < laneCount; ++i)
            fresh[i] |= D(D(p[i]) << (8 * sizeof(P) * k));
    }
    each(w, d, [&](u32 i) { return fresh[i]; });
    return ip + 1;
}
/// mov.b64 {a, b}, d. A part of offset ~0 is `_`.
template <class S, class P> const Inst* unpack(Warp& w, const Inst* ip) {
    alignas(64) S source[laneCount];
    std::memcpy(source, at<S>(w, ip->a), sizeof source);
    const std::vector<Opd>& parts = w.worker->launch->code->operandLists[ip->aux];
    for (u32 k = 0; k < parts.size(); ++k) {
        if (parts[k].value == ~0u) continue;
        P* p = at<P>(w, parts[k]);
        each(w, p, [&](u32 i) { return P(source[i] >> (8 * sizeof(P) * k)); });
    }
    return ip + 1;
}
const Inst* pack128(Warp& w, const Inst* ip) {
    u128* d = at<u128>(w, ip->d);
    const std::vector<Opd>& parts = w.worker->launch->code->operandLists[ip->aux];
    const u64* low = at<u64>(w, parts[0]);
    const u64* high = at<u64>(w, parts[1]);
    eachActive(w, [&](u32 i) { d[i] = {low[i], high[i]}; });
    return ip + 1;
}
const Inst* unpack128(Warp& w, const Inst* ip) {
    const u128* a = at<u128>(w, ip->a);
    const std::vector<Opd>& parts = w.worker->launch->code->operandLists[ip->aux];
    for (u32 k = 0; k < 2; ++k) {
        if (parts[k].value == ~0u) continue;
        u64* p = at<u64>(w, parts[k]);
        eachActive(w, [&](u32 i) { p[i] = k ? a[i].high : a[i].low; });
    }
    return ip + 1;
}

} // namespace

Handler moveHandler(const Key& k) {
    const u32 whole = k.destinationBytes, part = k.sourceBytes;
    if (k.op == Op::mov) {
        if (k.type == ptx::Type::pred) return movPredicate;
        return whole == 2    ? mov<u16>
               : whole == 4  ? mov<u32>
               : whole == 8  ? mov<u64>
               : whole == 16 ? mov<u128>
                             : nullptr;
    }
    const bool packing = k.op == Op::pack;
    if (whole == 16 && part == 8) return packing ? pack128 : unpack128;
    if (whole == 8 && part == 4) return packing ? pack<u64, u32> : unpack<u64, u32>;
    if (whole == 8 && part == 2) return packing ? pack<u64, u16> : unpack<u64, u16>;
    if (whole == 4 && part == 2) return packing ? pack<u32, u16> : unpack<u32, u16>;
    return nullptr;
}

} // namespace kernelarium::emulator::KL_ISA
