// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BoxPieces.h"

#include "gpu/emulator/async/AsyncChecks.h"
#include "gpu/emulator/async/BulkCopies.h"
#include "gpu/emulator/async/BulkPlaces.h"
#include "gpu/emulator/async/BulkReduction.h"
#include "gpu/emulator/async/FarVisits.h"
#include "gpu/emulator/async/SharedBarrier.h"
#include "gpu/emulator/async/SharedWindow.h"
#include "gpu/emulator/checks/MemoryFaults.h"
#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/checks/SyncTable.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Kind = BulkOp::Kind;

/// One lane's copy while it is begun.
struct Beginning {
    Warp& w;
    const Inst* ip;
    const BulkOp& op;
    u32 lane;

    bool fault(const char* kind, std::string message, bool leaves = false) const {
        reportFault(w, ip, 1u << lane, kind, std::move(message), leaves);
        return false;
    }
};

/// The map that an operand points at.
std::optional<TensorMap> mapAt(const Beginning& b, u64 address) {
    if (address % 64) {
        b.fault("misaligned", fmt::format("A tensor map at {:#x}: its address is no multiple of 64.", address));
        return {};
    }
    const auto bytes = mapBytesAt(*b.w.worker, address);
    if (!bytes) {
        b.fault("out_of_bounds",
                fmt::format("A tensor map at {:#x}, where neither parameters nor global memory are.", address), true);
        return {};
    }
    const auto map = decodeTensorMap(*bytes);
    if (!map)
        b.fault("tensor_map",
                fmt::format("There is no tensor map at {:#x}: it takes what cuTensorMapEncodeTiled has "
                            "written, unchanged.",
                            address),
                true);
    return map;
}

/// Looks at a piece's bytes of global memory; false where they may not be accessed.
bool checkGlobal(const Beginning& b, const BulkCopy::Piece& p, bool stores) {
    Region r = globalMemoryOf(b.w);
    const u64 offset = p.other - DeviceMemory::base;
    const u32 all = b.w.active;
    b.w.active = 1u << b.lane;
    const std::uint8_t need = stores ? r.writable : r.readable;
    bool good = p.other >= DeviceMemory::base && offset < r.limit && p.bytes <= r.limit - offset;
    for (u32 k = 0; good && r.states && k < p.bytes; ++k)
        good = (r.states[offset + k] & need) == need;
    u64 at[laneCount] = {};
    bool allowed = true;
    // The careful way says what is wrong, in steps that are aligned.
    for (u32 done = 0; !good && done < p.bytes;) {
        u32 step = 16;
        while (step > p.bytes - done || (offset + done) % step)
            step /= 2;
        at[b.lane] = offset + done;
        allowed &= faultyLanes(b.w, b.ip, r, at, step, stores ? AccessKind::store : AccessKind::load) != 0;
        done += step;
    }
    at[b.lane] = offset;
    if (r.marks.writers && allowed && !stores) {
        trackLoad(b.w, b.ip, r, at, p.bytes);
        checkAsyncReadOfGlobal(b.w, b.ip, b.lane, offset, p.bytes);
    }
    b.w.active = all;
    return allowed;
}

bool isInside(const Beginning& b, const Block& block, u32 offset, u32 bytes) {
    if (offset <= block.sharedBytes && bytes <= block.sharedBytes - offset) return true;
    return b.fault("out_of_bounds",
                   fmt::format("A bulk copy of {} bytes at offset {} of shared memory, which has {} bytes.", bytes,
                               offset, block.sharedBytes),
                   true);
}

bool isAligned(const Beginning& b, u64 address, u32 to, const char* what) {
    if (address % to == 0) return true;
    return b.fault("misaligned", fmt::format("A bulk copy whose {} is at {:#x}, no multiple of {}.", what,
                                             address & ((u64(1) << window::shift) - 1), to));
}

/// Bitwise reductions take integers of a tensor map as bits.
ptx::Type bitsWhere(BulkOp::Reduction r, ptx::Type t) {
    using enum BulkOp::Reduction;
    if (r != and_ && r != or_ && r != xor_) return t;
    if (t == ptx::Type::u32 || t == ptx::Type::s32) return ptx::Type::b32;
    return t == ptx::Type::u64 || t == ptx::Type::s64 ? ptx::Type::b64 : t;
}

/// Fills pieces and bytes; false where something is wrong with the copy.
bool layOut(const Beginning& b, BulkCopy& c, u64 shared) {
    const BulkOp& op = b.op;
    if (op.isTensor) {
        const auto map = mapAt(b, addressIn(b.w, op.kind == Kind::toGlobal ? op.to : op.from, b.lane));
        if (!map) return false;
        if (map->rank != op.dimensions)
            return b.fault("tensor_map", fmt::format("A copy of {} dimensions through a tensor map of {}.",
                                                     op.dimensions, map->rank));
        std::array<std::int32_t, 5> first{};
        for (u32 d = 0; d < op.dimensions; ++d)
            first[d] = lanesOf<std::int32_t>(b.w, op.coordinates[d])[b.lane];
        if (!isAligned(b, shared, 128, "place in shared memory")) return false;
        // An H200 stops with an illegal instruction.
        if (std::int64_t(first[0]) * map->elementBytes() % 16)
            return b.fault("misaligned",
                           fmt::format("A tensor copy from coordinate {} of the innermost dimension: its {} "
                                       "bytes are no multiple of 16.",
                                       first[0], std::int64_t(first[0]) * map->elementBytes()));
        c.pieces = boxPieces(*map, first, sharedOffset(shared));
        c.fill = map->fill();
        c.roundsToTf32 = map->type == TensorMap::tfloat32 && op.kind == Kind::toShared;
        c.bytes = map->boxBytes();
        c.type = bitsWhere(op.reduction, map->elementType());
        if (op.reduction != BulkOp::Reduction::none && !canReduce(op.reduction, c.type))
            return b.fault("tensor_map", "A reduction that the element type of its tensor map does not have.");
        return true;
    }
    c.bytes = lanesOf<u32>(b.w, op.size)[b.lane];
    c.type = op.type;
    const u64 other = addressIn(b.w, op.kind == Kind::toShared ? op.from : op.to, b.lane);
    if (c.bytes % 16) return b.fault("misaligned", fmt::format("A bulk copy of {} bytes, no multiple of 16.", c.bytes));
    if (!isAligned(b, shared, 16, "place in shared memory") || !isAligned(b, other, 16, "other place")) return false;
    c.pieces = {{sharedOffset(shared), c.bytes, op.kind == Kind::sharedToFar ? sharedOffset(other) : other}};
    return true;
}

/// Into shared memory of this block or, with multicast, of several.
void beginInto(const Beginning& b, BulkCopy c, u64 address, u64 barrier) {
    const BulkOp& op = b.op;
    Block& own = *b.w.block;
    std::vector<Block*> blocks;
    if (op.multicast) {
        const u32 mask = lanesOf<std::uint16_t>(b.w, op.mask)[b.lane];
        const std::size_t members = own.cluster ? own.cluster->blocks.size() : 1;
        for (u32 rank = 0; rank < 16; ++rank)
            if (mask >> rank & 1) {
                if (rank >= members) {
                    b.fault("out_of_bounds",
                            fmt::format("A multicast to the block of rank {}; the cluster has {}.", rank, members),
                            true);
                    return;
                }
                blocks.push_back(rank == own.rank ? &own : own.cluster->blocks[rank]);
            }
    } else {
        blocks.push_back(blockAt(own, address));
    }
    if (!op.multicast && blockAt(own, barrier) != blocks[0]) {
        b.fault("mbarrier", "A copy tells an mbarrier in another block's shared memory than it fills.");
        return;
    }
    const race::Record atomic = op.reduction == BulkOp::Reduction::none ? 0 : race::strong;
    c.record =
        b.w.raceKey.mine ? recordOf(b.w, b.ip) | race::Record(b.lane) << race::laneShift | race::byteMask | atomic : 0;
    std::vector<BulkCopy*> begun;
    bool wide = false;
    for (Block* block : blocks) {
        if (!block || (block != &own && block->finishedThreads == block->threads)) {
            b.fault("out_of_bounds",
                    "A copy into the shared memory of a block that the cluster does not have or that "
                    "has ended.",
                    true);
            continue;
        }
        if (!isInside(b, *block, c.range.from, c.range.to - c.range.from)) continue;
        c.barrier = sharedOffset(barrier);
        if (b.w.worker->checks && !asyncOf(*block).barriers.contains(c.barrier))
            b.fault("mbarrier",
                    fmt::format("A copy tells the mbarrier at offset {} of shared memory, where none was made.",
                                c.barrier));
        if (b.w.worker->checks) checkMade(b.w, b.ip, b.lane, *block, c.barrier);
        if (block != &own) noteVisit(b.w, b.ip, b.lane, *block, c.range.from);
        wide |= block != &own;
        checkAsyncStore(b.w, b.ip, b.lane, *block, c.range, op.reduction);
        // The bytes are not there until the copy is done.
        if (block->sharedStates)
            for (const BulkCopy::Piece& p : c.pieces)
                for (u32 k = 0; k < p.bytes; ++k)
                    block->sharedStates[p.shared + k] &= std::uint8_t(~DeviceMemory::stateInitialised);
        asyncOf(*block).copies.push_back(c);
        begun.push_back(&asyncOf(*block).copies.back());
        asyncOf(*block).changes++;
    }
    // Who waits for the barrier has seen what the thread did before.
    if (!c.record) return;
    BlockClocks& clocks = own.clocks;
    clocks.fence(b.w.index, wide);
    const BlockClocks::Release release = clocks.release(b.w.index);
    b.w.raceKey = clocks.key(b.w.index);
    for (BulkCopy* one : begun)
        one->release = release;
    if (wide) b.w.worker->launch->syncs->note(clocks.number(), release);
}

void beginOne(const Beginning& b) {
    const BulkOp& op = b.op;
    Block& own = *b.w.block;
    BulkCopy c;
    c.by = {b.ip, b.w.index, b.lane};
    c.op = &op;
    c.issuer = &own;
    const u64 shared = addressIn(b.w, op.kind == Kind::toShared ? op.to : op.from, b.lane);
    if (!layOut(b, c, shared)) return;
    if (c.pieces.empty() || c.bytes == 0) return;
    c.range = {~0u, 0};
    for (const BulkCopy::Piece& p : c.pieces)
        c.range = {std::min(c.range.from, p.shared), std::max(c.range.to, p.shared + p.bytes)};
    if (op.kind != Kind::sharedToFar)
        for (BulkCopy::Piece& p : c.pieces)
            if (p.other != BulkCopy::Piece::filled && !checkGlobal(b, p, op.kind == Kind::toGlobal))
                p.other = BulkCopy::Piece::filled;
    if (b.w.pause == Pause::stop) return;
    const u64 barrier = op.tells ? addressIn(b.w, op.barrier, b.lane) : 0;
    if (op.tells && !isAligned(b, barrier, 8, "mbarrier")) return;
    if (op.kind == Kind::toShared) return beginInto(b, std::move(c), shared, barrier);
    if (!isInside(b, own, c.range.from, c.range.to - c.range.from)) return;
    checkAsyncRead(b.w, b.ip, b.lane, c.range);
    c.source = c.range;
    if (const race::Marks& marks = own.raceMarks; b.w.raceKey.mine && marks.writers && c.range.to <= marks.limit)
        c.sourceRecords.assign(marks.writers + c.range.from / 4, marks.writers + (c.range.to + 3) / 4);
    if (op.kind == Kind::toGlobal) {
        c.group = asyncOf(own).bulkGroups[b.w.index * laneCount + b.lane];
        asyncOf(own).copies.push_back(std::move(c));
        return;
    }
    // Between shared memories: the source is read now, so that the copy waits where it goes.
    const u64 to = addressIn(b.w, op.to, b.lane);
    c.taken.assign(own.shared + c.range.from, own.shared + c.range.to);
    c.hasRead = true;
    c.pieces[0].shared = sharedOffset(to);
    c.range = {c.pieces[0].shared, c.pieces[0].shared + c.bytes};
    c.far = blockAt(own, to);
    beginInto(b, std::move(c), to, barrier);
}

/// Copies the lane's registers: st.async, red.async.
void storeRegisters(const Beginning& b) {
    const BulkOp& op = b.op;
    Block& own = *b.w.block;
    BulkCopy c;
    c.by = {b.ip, b.w.index, b.lane};
    c.op = &op;
    c.issuer = &own;
    c.type = op.type;
    c.bytes = u32(op.values.size()) * op.valueBytes;
    const u64 to = addressIn(b.w, op.to, b.lane), barrier = addressIn(b.w, op.barrier, b.lane);
    if (!isAligned(b, to, c.bytes, "place in shared memory") || !isAligned(b, barrier, 8, "mbarrier")) return;
    for (const Opd& value : op.values) {
        const std::byte* from = b.w.base[value.segment()] + value.offset() + std::size_t(b.lane) * op.valueBytes;
        c.taken.insert(c.taken.end(), from, from + op.valueBytes);
    }
    c.hasRead = true;
    c.pieces = {{sharedOffset(to), c.bytes, 0}};
    c.range = {sharedOffset(to), sharedOffset(to) + c.bytes};
    c.far = blockAt(own, to);
    beginInto(b, std::move(c), to, barrier);
}

} // namespace

const Inst* bulkCopy(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a bulk copy in host code");
    const BulkOp& op = w.worker->launch->code->bulkOps[ip->aux];
    if (op.kind == Kind::prefetch) return ip + 1;
    for (u32 m = w.active; m && w.pause != Pause::stop; m &= m - 1)
        (op.values.empty() ? beginOne : storeRegisters)({w, ip, op, u32(std::countr_zero(m))});
    return w.pause == Pause::stop ? nullptr : ip + 1;
}

const Inst* commitBulk(Warp& w, const Inst* ip) {
    if (!w.block) return ip + 1;
    for (u32 m = w.active; m; m &= m - 1)
        ++asyncOf(*w.block).bulkGroups[w.index * laneCount + u32(std::countr_zero(m))];
    return ip + 1;
}

} // namespace kernelarium::emulator
