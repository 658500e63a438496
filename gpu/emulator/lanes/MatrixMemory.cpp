// SPDX-License-Identifier: GPL-3.0-or-later
//
// wmma.load, wmma.store, ldmatrix, stmatrix, and the copies of cp.async.
#include "gpu/emulator/code/CopyOp.h"
#include "gpu/emulator/code/MatrixOp.h"
#include "gpu/emulator/lanes/LaneBytes.h"

#include <algorithm>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Space;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

const MatrixAccess& accessOf(const Warp& w, const Inst* ip) {
    return w.worker->launch->code->matrixAccesses[ip->aux];
}

/// The one address that all lanes name.
u64 startOf(Warp& w, const Inst* ip) {
    Addresses a;
    if (ip->bits & wideBase)
        readAddresses<true>(w, ip, a);
    else
        readAddresses<false>(w, ip, a);
    return a.at[__builtin_ctz(w.active)];
}

/// One element of the fragment (or one register's) for each lane at a time.
template <class F> void eachElement(Warp& w, const Inst* ip, F f) {
    const MatrixAccess& m = accessOf(w, ip);
    u64 stride = u64(m.stride);
    if (m.hasStride) stride = at<u32>(w, m.strideRegister)[__builtin_ctz(w.active)];
    const FragmentWalk walk{startOf(w, ip), stride, m};
    for (u32 r = 0; r < m.fragment.map.unique; ++r)
        for (u32 i = 0; i < m.fragment.map.perRegister; i += walk.step()) {
            Addresses a;
            walk.addresses(r, i, a.at);
            f(r, i, a);
        }
}

template <Space S, class T> const Inst* loadFragment(Warp& w, const Inst* ip) {
    meetLanes(w);
    using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const Fragment& fragment = accessOf(w, ip).fragment;
    eachElement(w, ip, [&](u32 r, u32 i, Addresses& a) {
        alignas(64) T values[laneCount] = {};
        fetchLanes<S, sizeof(T)>(w, ip, a, reinterpret_cast<std::byte*>(values));
        Word* d = at<Word>(w, fragment.registers[r]);
        eachActive(w, [&](u32 lane) {
            d[lane] = (i ? d[lane] : 0) | Word(values[lane]) << (i * sizeof(T) * 8 % (sizeof(Word) * 8));
        });
    });
    for (u32 r = fragment.map.unique; r < fragment.map.registers; ++r) {
        const Word* s = at<Word>(w, fragment.registers[r - fragment.map.unique]);
        Word* d = at<Word>(w, fragment.registers[r]);
        eachActive(w, [&](u32 lane) { d[lane] = s[lane]; });
    }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S, class T> const Inst* storeFragment(Warp& w, const Inst* ip) {
    meetLanes(w);
    using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const Fragment& fragment = accessOf(w, ip).fragment;
    eachElement(w, ip, [&](u32 r, u32 i, Addresses& a) {
        alignas(64) T values[laneCount];
        const Word* s = at<Word>(w, fragment.registers[r]);
        for (u32 lane = 0; lane < laneCount; ++lane)
            values[lane] = T(s[lane] >> (i * sizeof(T) * 8 % (sizeof(Word) * 8)));
        putLanes<S, sizeof(T)>(w, ip, a, reinterpret_cast<const std::byte*>(values));
    });
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

/// Lane 8 i + j names row j of matrix i: eight b16. Of a row, lane 4 j + p holds elements 2 p and 2 p + 1 in
/// register i.
template <Space S, bool Store> const Inst* moveRows(Warp& w, const Inst* ip) {
    const MatrixAccess& m = accessOf(w, ip);
    const u32 count = u32(m.fragment.registers.size()), all = w.active;
    alignas(64) u16 rows[laneCount][8] = {};
    const auto element = [&](u32 matrix, u32 lane, u32 i) -> u16& {
        const u32 row = lane / 4, column = lane % 4 * 2 + i;
        return m.transposed ? rows[matrix * 8 + column][row] : rows[matrix * 8 + row][column];
    };
    spreadUnknown(w);
    meetLanes(w);
    if constexpr (Store)
        for (u32 k = 0; k < count; ++k) {
            const u32* s = at<u32>(w, m.fragment.registers[k]);
            for (u32 lane = 0; lane < laneCount; ++lane)
                for (u32 i = 0; i < 2; ++i)
                    element(k, lane, i) = u16(s[lane] >> (16 * i));
        }
    Addresses a;
    if (ip->bits & wideBase)
        readAddresses<true>(w, ip, a);
    else
        readAddresses<false>(w, ip, a);
    w.active &= count == 4 ? ~0u : (1u << (8 * count)) - 1;
    if (w.active) {
        if constexpr (Store)
            putLanes<S, 16>(w, ip, a, reinterpret_cast<const std::byte*>(rows));
        else
            fetchLanes<S, 16>(w, ip, a, reinterpret_cast<std::byte*>(rows));
    }
    w.active = all;
    spreadUnknown(w);
    if constexpr (!Store)
        for (u32 k = 0; k < count; ++k) {
            u32* d = at<u32>(w, m.fragment.registers[k]);
            eachActive(w, [&](u32 lane) { d[lane] = element(k, lane, 0) | u32(element(k, lane, 1)) << 16; });
        }
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

template <Space S> Handler fragmentHandler(std::uint32_t bytes, bool store) {
    switch (bytes) {
    case 1: return store ? nullptr : loadFragment<S, std::uint8_t>;
    case 2: return store ? storeFragment<S, u16> : loadFragment<S, u16>;
    case 4: return store ? storeFragment<S, u32> : loadFragment<S, u32>;
    case 8: return store ? storeFragment<S, u64> : loadFragment<S, u64>;
    default: return nullptr;
    }
}

template <u32 Bytes> void copyLanes(Warp& w, const PendingCopy& c) {
    alignas(64) std::byte bytes[laneCount * Bytes] = {};
    Addresses from, to;
    std::copy_n(c.from.data(), laneCount, from.at);
    std::copy_n(c.to.data(), laneCount, to.at);
    const u32 all = w.active;
    // The rest of a lane's bytes beyond its source size are zero: piece by piece, as the sizes may differ by
    // lane.
    for (u32 m = c.lanes; m; m &= m - 1) {
        const auto lane = u32(__builtin_ctz(m));
        const u32 size = c.sourceBytes[lane];
        if (size == Bytes) continue;
        w.active = 1u << lane;
        for (u32 k = 0; k < size; ++k) {
            Addresses one = from;
            one.at[lane] += k;
            std::byte piece[laneCount];
            fetchLanes<Space::generic, 1>(w, c.ip, one, piece);
            bytes[lane * Bytes + k] = piece[lane];
        }
    }
    u32 whole = 0;
    for (u32 m = c.lanes; m; m &= m - 1)
        if (c.sourceBytes[__builtin_ctz(m)] == Bytes) whole |= m & -m;
    w.active = whole;
    if (whole) fetchLanes<Space::generic, Bytes>(w, c.ip, from, bytes);
    w.active = c.lanes;
    if (c.lanes) putLanes<Space::shared, Bytes>(w, c.ip, to, bytes);
    w.active = all;
}

} // namespace

Handler matrixMemoryHandler(MatrixMemory kind, Space space, std::uint32_t bytes) {
    const bool shared = space == Space::shared;
    switch (kind) {
    case MatrixMemory::load:
    case MatrixMemory::store: {
        const bool store = kind == MatrixMemory::store;
        return shared ? fragmentHandler<Space::shared>(bytes, store) : fragmentHandler<Space::generic>(bytes, store);
    }
    case MatrixMemory::loadRows: return shared ? moveRows<Space::shared, false> : moveRows<Space::generic, false>;
    case MatrixMemory::storeRows: return shared ? moveRows<Space::shared, true> : moveRows<Space::generic, true>;
    }
    return nullptr;
}

void performCopy(Warp& w, const PendingCopy& c) {
    if (c.bytes == 16)
        copyLanes<16>(w, c);
    else if (c.bytes == 8)
        copyLanes<8>(w, c);
    else
        copyLanes<4>(w, c);
}

} // namespace kernelarium::emulator::KL_ISA
