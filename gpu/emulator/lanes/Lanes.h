// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loops over the 32 lanes of a warp. Files of this folder are compiled once for each instruction set, in a namespace
// of their own (KL_ISA); everything here is inline in that namespace so that no code of one set is linked into another.
#pragma once

#include "gpu/emulator/code/Select.h"
#include "gpu/emulator/warp/Warp.h"

#include <cstdint>

namespace kernelarium::emulator::KL_ISA {

template <class T> inline T* at(Warp& w, Opd o) {
    return static_cast<T*>(__builtin_assume_aligned(w.base[o.segment()] + o.offset(), 64));
}
inline std::uint32_t& predicate(Warp& w, Opd o) {
    return *reinterpret_cast<std::uint32_t*>(w.base[o.segment()] + o.offset());
}

/// Lanes that do not exist may be written freely: whole-register operations need no mask then.
inline bool whole(const Warp& w) {
    return w.active == w.live;
}

/// d[i] = f(i) for the active lanes. f must be free of side effects: it is called for inactive lanes too.
/// d may be one of f's operands: element i only depends on elements i.
template <class D, class F> inline void each(Warp& w, D* d, F f) {
    if (whole(w)) {
#pragma GCC ivdep
        for (std::uint32_t i = 0; i < laneCount; ++i)
            d[i] = f(i);
        return;
    }
    alignas(64) D fresh[laneCount];
    for (std::uint32_t i = 0; i < laneCount; ++i)
        fresh[i] = f(i);
    // Keeps the blend apart from the operation: GCC 12 fails on masked 16-bit minimum and maximum.
    asm volatile("" : : "r"(fresh) : "memory");
    const std::uint32_t mask = w.active;
#pragma GCC ivdep
    for (std::uint32_t i = 0; i < laneCount; ++i)
        d[i] = (mask >> i) & 1u ? fresh[i] : d[i];
}

/// f(i) for the active lanes only, in lane order.
template <class F> inline void eachActive(const Warp& w, F f) {
    for (std::uint32_t m = w.active; m; m &= m - 1)
        f(std::uint32_t(__builtin_ctz(m)));
}

/// The lanes where f(i) holds, as a mask over all 32.
template <class F> inline std::uint32_t maskOf(F f) {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < laneCount; ++i)
        mask |= (f(i) ? 1u : 0u) << i;
    return mask;
}

inline void setPredicate(Warp& w, Opd o, std::uint32_t mask) {
    std::uint32_t& p = predicate(w, o);
    p = (p & ~w.active) | (mask & w.active);
}

template <class F, class D, class A> const Inst* unary(Warp& w, const Inst* ip) {
    D* d = at<D>(w, ip->d);
    const A* a = at<A>(w, ip->a);
    each(w, d, [=](std::uint32_t i) { return F::apply(a[i]); });
    return ip + 1;
}
template <class F, class D, class A, class B> const Inst* binary(Warp& w, const Inst* ip) {
    D* d = at<D>(w, ip->d);
    const A* a = at<A>(w, ip->a);
    const B* b = at<B>(w, ip->b);
    each(w, d, [=](std::uint32_t i) { return F::apply(a[i], b[i]); });
    return ip + 1;
}
template <class F, class D, class A, class B, class C> const Inst* ternary(Warp& w, const Inst* ip) {
    D* d = at<D>(w, ip->d);
    const A* a = at<A>(w, ip->a);
    const B* b = at<B>(w, ip->b);
    const C* c = at<C>(w, ip->c);
    each(w, d, [=](std::uint32_t i) { return F::apply(a[i], b[i], c[i]); });
    return ip + 1;
}

Handler arithmeticHandler(const Key& key);
Handler bitsHandler(const Key& key);
Handler compareHandler(const Key& key);
Handler floatingHandler(const Key& key);
Handler halfHandler(const Key& key);
Handler convertHandler(const Key& key);
Handler float8Handler(const Key& key); ///< conversions from and to pairs of 8-bit floats
Handler moveHandler(const Key& key);
Handler loadHandler(ptx::Space space, ptx::Type type, std::uint32_t destinationBytes, bool wideAddress,
                    std::uint32_t vector);
Handler storeHandler(ptx::Space space, ptx::Type type, std::uint32_t sourceBytes, bool wideAddress,
                     std::uint32_t vector);
Handler atomicHandler(ptx::Space space, ptx::Type type, AtomOp op, bool wantsResult, bool wideAddress);
Handler matrixHandler(const MatrixOp& op);
Handler warpgroupHandler(const WarpgroupOp& op);
Handler matrixMemoryHandler(MatrixMemory kind, ptx::Space space, std::uint32_t bytes);
void performCopy(Warp& w, const PendingCopy& copy);
Handler warpHandler(std::string_view opcode, const ptx::Instruction& instruction);

} // namespace kernelarium::emulator::KL_ISA
