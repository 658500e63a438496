// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/Products.h"

#include "gpu/emulator/async/AsyncChecks.h"
#include "gpu/emulator/async/TensorMap.h"
#include "gpu/emulator/checks/BegunReads.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 rowsOfWarp = 16;

/// A matrix of rows (m or n) by 32 bytes of k in shared memory.
struct Tile {
    MatrixDescriptor d;
    bool transposed = false; ///< rows lie along the memory's lines; elements of 2 bytes
    u32 first = 0, rows = 0;

    /// Address of 16 bytes: of row `row` from byte `k`; with `transposed` of 8 rows from `row`, at element `k`.
    [[nodiscard]] u32 at(u32 row, u32 k) const {
        const u32 span = 16u << d.swizzle;
        u32 offset = 0;
        if (!transposed) {
            offset = row % 8 * span + row / 8 * d.stride + (d.swizzle ? k : k / 16 * d.leading + k % 16);
        } else if (!d.swizzle) {
            offset = row * 2 % 16 + row / 8 * d.stride + k % 8 * 16 + k / 8 * d.leading;
        } else {
            offset = row * 2 % span + row * 2 / span * d.leading + k % 8 * span + k / 8 * d.stride;
        }
        return swizzled(d.start + offset, d.swizzle);
    }

    /// f(address, row, k) for each 16 bytes.
    template <class F> void each(F f) const {
        if (!transposed) {
            for (u32 r = first; r < first + rows; ++r)
                for (u32 k = 0; k < productRowBytes; k += 16)
                    f(at(r, k), r - first, k);
        } else {
            for (u32 k = 0; k < productRowBytes / 2; ++k)
                for (u32 r = first; r < first + rows; r += 8)
                    f(at(r, k), r - first, k);
        }
    }

    [[nodiscard]] SharedRange range() const {
        SharedRange all{~0u, 0};
        each([&](u32 address, u32, u32) {
            all.from = std::min(all.from, address);
            all.to = std::max(all.to, address + 16);
        });
        return all;
    }

    void gather(const std::byte* shared, std::byte* out) const {
        each([&](u32 address, u32 row, u32 k) {
            if (!transposed) {
                std::memcpy(out + row * productRowBytes + k, shared + address, 16);
            } else {
                for (u32 i = 0; i < 8; ++i)
                    std::memcpy(out + (row + i) * productRowBytes + 2 * k, shared + address + 2 * i, 2);
            }
        });
    }
};

/// Ranges that touch become one; what a strided tile leaves out between its lines is not part of it.
std::vector<SharedRange> linesOf(const Tile& t) {
    std::vector<SharedRange> lines;
    t.each([&](u32 address, u32, u32) {
        for (auto r = lines.rbegin(); r != lines.rend() && r != lines.rbegin() + 4; ++r)
            if (r->to == address || (address >= r->from && address < r->to)) {
                r->to = std::max(r->to, address + 16);
                return;
            }
        lines.push_back({address, address + 16});
    });
    return lines;
}

/// The warp begins to read these bytes, as far as races are concerned.
void beginRead(Warp& w, const Inst* ip, const std::vector<SharedRange>& lines) {
    if (!w.raceKey.mine || !w.block->raceMarks.writers) return;
    const Region region = sharedMemoryOf(w, *w.block);
    const u32 all = w.active, lane = u32(std::countr_zero(w.active));
    w.active = 1u << lane;
    u64 at[laneCount] = {};
    for (const SharedRange& r : lines) {
        at[lane] = r.from;
        checkLoad(w, ip, region, at, r.to - r.from);
    }
    w.active = all;
}

/// The warp has waited for the product: what it read, it may have read just now.
void endRead(Warp& w, const PendingProduct& p) {
    if (p.writers.empty()) return;
    const Region region = sharedMemoryOf(w, *w.block);
    const race::Record* then = p.writers.data();
    for (const SharedRange& r : p.reads) {
        endLoad(w, *w.block->warps[p.by.warp], p.by.ip, p.by.lane, region, r.from, r.to - r.from, then);
        then += (r.to - r.from) / 4;
    }
}

bool prepare(Warp& w, const Inst* ip, const Tile& t, const char* name) {
    const auto lane = u32(std::countr_zero(w.active));
    if (t.d.baseOffset) {
        w.worker->launch->finish(
            LaunchEnd::unsupported,
            "wgmma with a base offset in a matrix descriptor: stages that are not aligned to their "
            "swizzle's pattern");
        w.pause = Pause::stop;
        return false;
    }
    const SharedRange all = t.range();
    if (all.to > w.block->sharedBytes) {
        reportFault(w, ip, 1u << lane, "out_of_bounds",
                    fmt::format("Matrix {} of a product reaches byte {} of shared memory, which has {}.", name,
                                all.to - 1, w.block->sharedBytes),
                    true);
        return false;
    }
    return true;
}

/// .sync: lanes wait here for those of their warp that are elsewhere. False where nobody is missing.
bool waitsForLanes(Warp& w, const Inst* ip) {
    if ((w.live & ~w.active) == 0 || w.productsApart) return false;
    if ((ip - 1)->fn == predicated) return false; // .aligned: it is no guard that tells lanes apart
    w.ip = ip;
    w.pause = Pause::product;
    return true;
}

} // namespace

bool beginProduct(Warp& w, const Inst* ip, const WarpgroupOp& op, std::byte* a, std::byte* b) {
    if (!w.block) return trap(w, ip, "a product of a warpgroup in host code"), false;
    if (waitsForLanes(w, ip)) return false;
    if (w.active != ~0u || w.live != ~0u) {
        reportFault(w, ip, w.active, "barrier", "Some lanes of a warp execute wgmma without the others.", false);
        if (!w.active) return false;
    }
    const auto lane = u32(std::countr_zero(w.active));
    std::vector<Tile> tiles;
    if (op.aRegisters.empty()) {
        const u64 bits = lanesOf<u64>(w, op.aDescriptor)[lane];
        tiles.push_back({MatrixDescriptor::of(bits), op.transposeA, w.index % 4 * rowsOfWarp, rowsOfWarp});
    }
    tiles.push_back({MatrixDescriptor::of(lanesOf<u64>(w, op.bDescriptor)[lane]), op.transposeB, 0, op.n});
    PendingProduct product;
    product.by = {ip, w.index, lane};
    for (const Tile& t : tiles) {
        const bool isB = &t == &tiles.back();
        if (!prepare(w, ip, t, isB ? "B" : "A")) return false;
        t.gather(w.block->shared, isB ? b : a);
        if (!w.worker->checks) continue;
        const std::vector<SharedRange> lines = linesOf(t);
        for (const SharedRange& r : lines)
            checkAsyncRead(w, ip, lane, r);
        beginRead(w, ip, lines);
        if (const race::Marks& marks = w.block->raceMarks; w.raceKey.mine && marks.writers)
            for (const SharedRange& r : lines)
                product.writers.insert(product.writers.end(), marks.writers + r.from / 4, marks.writers + r.to / 4);
        product.reads.insert(product.reads.end(), lines.begin(), lines.end());
    }
    if (w.worker->checks) {
        AsyncWork& async = asyncOf(*w.block);
        product.group = async.productGroups[w.index];
        async.products.push_back(std::move(product));
    }
    return true;
}

const Inst* commitProducts(Warp& w, const Inst* ip) {
    if (!w.block) return ip + 1;
    if (waitsForLanes(w, ip)) return nullptr;
    AsyncWork& async = asyncOf(*w.block);
    ++async.productGroups[w.index];
    if (std::exchange(async.productAwaited, false)) ++async.ended;
    return ip + 1;
}

const Inst* waitProducts(Warp& w, const Inst* ip) {
    if (!w.block || !w.block->async) return ip + 1;
    if (waitsForLanes(w, ip)) return nullptr;
    AsyncWork& async = *w.block->async;
    const u32 committed = async.productGroups[w.index];
    const u64 done = committed > u64(ip->imm) ? committed - u64(ip->imm) : 0;
    if (done == 0) return ip + 1;
    if (warpBehind(*w.block, w.index, done)) {
        if ((ip - 1)->fn == predicated) return ip + 1; // .aligned: it is no guard that tells lanes apart
        async.productAwaited = true;
        w.ip = ip;
        w.pause = Pause::phase;
        return nullptr;
    }
    if (!w.worker->checks) return ip + 1;
    const bool racesAreSought = w.raceKey.mine != 0;
    BlockClocks& clocks = w.block->clocks;
    const std::size_t ended = std::erase_if(async.products, [&](const PendingProduct& p) {
        if (p.by.warp / warpsOfGroup != w.index / warpsOfGroup || p.group >= done) return false;
        if (racesAreSought) endRead(w, p);
        return true;
    });
    if (!racesAreSought) return ip + 1;
    // What one warp has seen the end of, the others have when they have waited as well.
    if (ended) {
        clocks.endProducts(w.index);
        w.raceKey = clocks.key(w.index);
    }
    clocks.joinProducts(w.index);
    return ip + 1;
}

std::optional<u32> warpBehind(const Block& block, u32 warp, u64 groups) {
    const u32 first = warp / warpsOfGroup * warpsOfGroup;
    for (u32 v = first; v < first + warpsOfGroup && v < block.warps.size(); ++v)
        if (v != warp && block.warps[v]->live && v * laneCount < block.threads &&
            block.async->productGroups[v] < groups)
            return v;
    return {};
}

} // namespace kernelarium::emulator
