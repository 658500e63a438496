// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block has under way that no warp executes: bulk copies, matrix products of warpgroups, and what is known of
// its mbarrier objects beyond their words (PTX ISA, "Asynchronous Operations").
//
// A copy is done as late as the ISA lets it be: when nobody could go on without it, or its thread waits for its group.
// Until then the bytes that it brings count as never written, so that who reads them too early is seen. A product is
// computed when it is issued (compilers move its registers about before they wait for it); until its warp has waited
// for its group, nothing may store to what it reads. It is its warpgroup's: when one of the four warps has waited, it
// has ended for all.
#pragma once

#include "gpu/emulator/code/BulkOp.h"
#include "gpu/emulator/warp/BlockClocks.h"
#include "gpu/emulator/warp/Warp.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace kernelarium::emulator {

/// Bytes [from, to) of a block's shared memory.
struct SharedRange {
    std::uint32_t from = 0, to = 0;
    [[nodiscard]] bool overlaps(const SharedRange& o) const { return from < o.to && o.from < to; }
};

/// A thread, and what it executes.
struct AsyncParty {
    const Inst* ip = nullptr;
    std::uint32_t warp = 0, lane = 0;
};

/// A bulk copy that has begun.
struct BulkCopy {
    /// Bytes that lie side by side on both sides.
    struct Piece {
        std::uint32_t shared = 0; ///< offset
        std::uint32_t bytes = 0;
        std::uint64_t other = 0; ///< offset of global memory (with `far`: of shared memory); `filled`: nothing is read
        static constexpr std::uint64_t filled = ~std::uint64_t(0);
    };
    AsyncParty by;
    const BulkOp* op = nullptr;
    Block* issuer = nullptr;
    std::vector<Piece> pieces;
    SharedRange range;                ///< of all pieces
    ptx::Type type = ptx::Type::none; ///< of a reduction
    bool roundsToTf32 = false;        ///< what is brought, as through a tensor map of TFLOAT32
    std::uint32_t fill = 0;           ///< for what lies outside a tensor: a word, over and over
    std::uint32_t barrier = 0;        ///< offset of the mbarrier that is told; with op->tells
    std::uint32_t bytes = 0;          ///< that it is told of
    Block* far = nullptr;             ///< destination of a copy between shared memories
    bool hasRead = false;             ///< from shared memory: the source was read, into `taken`
    std::vector<std::byte> taken;
    SharedRange source;                      ///< from shared memory: the range in the issuer's, ...
    std::vector<race::Record> sourceRecords; ///< ... and by word of it who had stored there when it began
    std::uint32_t group = 0;                 ///< with bulk groups: how many its thread had committed before it
    race::Record record = 0;                 ///< of the store, where races are looked for
    BlockClocks::Release release;            ///< what those who wait for the barrier have seen then
};

/// A product that its warp has not waited for.
struct PendingProduct {
    AsyncParty by;
    std::vector<SharedRange> reads;
    std::vector<race::Record> writers; ///< by word of these: who had stored there when it began; none: nobody asks
    std::uint32_t group = 0;           ///< how many groups its warp had committed before it
};

/// What is known of an mbarrier.
struct BarrierNote {
    AsyncParty made;
    race::Record record = 0;        ///< of its making, where races are looked for and nobody used it too early yet
    bool isFenced = false;          ///< a fence.mbarrier_init came after its making, ...
    bool isArrived = false;         ///< ... and after that a relaxed arrival at the cluster's barrier
    std::uint64_t phase = 0;        ///< how many have ended
    AsyncParty ender;               ///< whose arrival or copy ended the last one, ...
    const Block* endedBy = nullptr; ///< ... a thread of this block
    /// Who waits, since which phase.
    struct Waiting {
        std::uint32_t warp = 0;
        const Inst* ip = nullptr;
        std::uint64_t phase = 0;
        bool operator==(const Waiting&) const = default;
    };
    std::vector<Waiting> waiting;
};

/// Registers that warps hand one another (RegisterPool.h). Counted for one thread of each warp, for all its threads
/// have alike.
struct RegisterPool {
    std::uint32_t start = 0; ///< each warp's when the block was launched; 0: nobody has asked yet
    std::uint32_t free = 0;  ///< given back, and not taken
    bool isAwaited = false;  ///< a warp waits for more
    std::array<std::uint16_t, BlockClocks::warpLimit> held{};
};

class AsyncWork : public ReadWatch {
public:
    bool noteEarlyRead(Warp& w, const Inst* ip, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes) override;

    /// The mbarrier objects by their offset.
    std::map<std::uint32_t, BarrierNote> barriers;
    /// Begun copies into this block's shared memory and out of it, the oldest first.
    std::deque<BulkCopy> copies;
    std::vector<PendingProduct> products;
    std::map<std::uint32_t, std::uint32_t> bulkGroups;                 ///< by thread: committed ones
    std::array<std::uint32_t, BlockClocks::warpLimit> productGroups{}; ///< by warp: committed ones
    bool productAwaited = false; ///< a warp waits for another of its warpgroup to commit one
    RegisterPool registers;
    std::vector<race::Record> fenced; ///< by word of shared memory: the store's record that a proxy fence came after
    Knowledge fencedGlobal;           ///< stores to global memory that a proxy fence came after
    std::uint64_t ended = 0;       ///< phases of the block's or its cluster's barriers, groups, registers: awaited ones
    std::uint64_t seenEnded = 0;   ///< of these, those that waiting warps have been woken for
    std::uint64_t changes = 0;     ///< operations on barriers that may lead somewhere
    std::uint64_t changesThen = 0; ///< when waits were last told that their time is up
    std::uint32_t fruitless = 0;   ///< how often that has led to nothing since
};

/// The block whose thread stored that in the block's shared memory: this one, or one of its cluster.
[[nodiscard]] const Block& storingBlock(const Block& block, race::Record record);
/// The block's, made when it is first asked for.
[[nodiscard]] AsyncWork& asyncOf(Block& block);

/// "thread (1, 0, 0) of block (0, 0, 0) at line 7"
[[nodiscard]] std::string partyText(const Block& block, const AsyncParty& party);
[[nodiscard]] FaultParty faultParty(const Block& block, const AsyncParty& party);
/// Reports a fault between the lane of the warp and somebody whose work is under way.
void reportAsync(Warp& w, const Inst* ip, std::uint32_t lane, const char* kind, std::string message, const Block& block,
                 const AsyncParty& other);

} // namespace kernelarium::emulator
