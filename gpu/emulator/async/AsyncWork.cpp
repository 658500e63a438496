// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/AsyncWork.h"

#include "gpu/emulator/warp/Cluster.h"

#include <fmt/format.h>

namespace kernelarium::emulator {

AsyncWork& asyncOf(Block& block) {
    if (!block.async) {
        block.async = std::make_shared<AsyncWork>();
        block.reads = block.async.get();
    }
    return *block.async;
}

const Block& storingBlock(const Block& block, race::Record record) {
    const std::uint32_t number = race::blockOf(record);
    return block.clocks.isMate(number) ? *block.cluster->blocks[number - block.cluster->clocks.first] : block;
}

bool AsyncWork::noteEarlyRead(Warp& w, const Inst* ip, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes) {
    const SharedRange read{std::uint32_t(offset), std::uint32_t(offset) + bytes};
    for (const BulkCopy& c : copies) {
        if (!c.range.overlaps(read) || (c.op->kind != BulkOp::Kind::toShared && !c.far)) continue;
        reportAsync(
            w, ip, lane, "async_read",
            fmt::format("Read of {} bytes at offset {} of shared memory, which the copy of {} still brings: the "
                        "thread has not waited for its mbarrier.",
                        bytes, offset, partyText(*c.issuer, c.by)),
            *c.issuer, c.by);
        return true;
    }
    return false;
}

FaultParty faultParty(const Block& block, const AsyncParty& party) {
    const Fault f = faultAt(*block.warps[party.warp], party.ip, party.lane);
    return {f.block, f.thread, f.line};
}

std::string partyText(const Block& block, const AsyncParty& party) {
    const FaultParty p = faultParty(block, party);
    std::string text = fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", p.thread[0], p.thread[1], p.thread[2],
                                   p.block[0], p.block[1], p.block[2]);
    if (p.line) text += fmt::format(" at line {}", p.line);
    return text;
}

void reportAsync(Warp& w, const Inst* ip, std::uint32_t lane, const char* kind, std::string message, const Block& block,
                 const AsyncParty& other) {
    if (w.block && w.block->witness) w.block->witness->noteFault(w, 1u << lane, kind, message);
    Fault f = faultAt(w, ip, lane);
    f.kind = kind;
    f.message = std::move(message);
    f.other = faultParty(block, other);
    f.count = 1;
    w.worker->launch->faults->add(std::move(f));
}

} // namespace kernelarium::emulator
