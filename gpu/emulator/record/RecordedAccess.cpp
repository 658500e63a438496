// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/RecordedAccess.h"

#include "gpu/emulator/async/BulkPlaces.h"
#include "gpu/emulator/counters/Tally.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t offsetBits = (std::uint64_t(1) << window::shift) - 1;

/// Where the bytes of a lane's access are in this process; null outside memory.
const std::byte* bytesAt(const Warp& w, const recording::Access& a, std::uint32_t lane, std::uint64_t address) {
    const auto inside = [&](std::uint64_t offset, std::uint64_t limit) {
        return offset <= limit && a.bytes <= limit - offset;
    };
    switch (a.space) {
    case recording::Space::shared: return inside(address, w.block->sharedBytes) ? w.block->shared + address : nullptr;
    case recording::Space::local:
        return inside(address, w.localStride) ? w.local + std::size_t(lane) * w.localStride + address : nullptr;
    case recording::Space::global: break;
    }
    const std::uint64_t offset = address - DeviceMemory::base;
    if (address < DeviceMemory::base || !inside(offset, w.worker->memoryLimit)) return nullptr;
    // A state of 0 is not an allocation's byte.
    for (std::uint32_t k = 0; w.worker->states && k < a.bytes; ++k)
        if (w.worker->states[offset + k] == 0) return nullptr;
    return w.worker->memory + offset;
}

void readValues(const Warp& w, recording::Access& a) {
    a.known = 0;
    a.values.clear();
    std::size_t k = 0;
    for (std::uint32_t m = a.lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::byte* bytes = bytesAt(w, a, lane, a.addresses[k++]);
        if (!bytes) continue;
        a.known |= 1u << lane;
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
        a.values.insert(a.values.end(), from, from + a.bytes);
    }
}

void add(const Warp& w, const std::uint64_t* at, std::uint32_t lanes, recording::Space space,
         const InstructionFacts& facts, std::vector<recording::Access>& accesses) {
    if (!lanes) return;
    using Kind = InstructionClass;
    recording::Access a;
    a.space = space;
    a.reads = facts.kind != Kind::store;
    a.writes = facts.kind != Kind::load;
    a.bytes = facts.bytes;
    a.lanes = lanes;
    std::uint64_t offsets[laneCount];
    for (std::uint32_t i = 0; i < laneCount; ++i)
        offsets[i] = space == recording::Space::global ? at[i] : at[i] & offsetBits;
    for (std::uint32_t m = lanes; m; m &= m - 1)
        a.addresses.push_back(offsets[std::countr_zero(m)]);
    if (space == recording::Space::shared) {
        const SharedCost cost = sharedCost(offsets, lanes, facts.bytes, facts.kind == Kind::atomic);
        a.wavefronts = cost.wavefronts;
        a.idealWavefronts = cost.ideal;
    }
    readValues(w, a);
    accesses.push_back(std::move(a));
}

void addBySpace(const Warp& w, const std::uint64_t* at, std::uint32_t on, const InstructionFacts& facts,
                std::vector<recording::Access>& accesses) {
    std::uint32_t inShared = 0, inLocal = 0;
    if (facts.space == ptx::Space::shared)
        inShared = on;
    else if (facts.space == ptx::Space::local)
        inLocal = on;
    else {
        inShared = lanesInWindow(at, on, window::shared);
        inLocal = lanesInWindow(at, on, window::local);
    }
    add(w, at, on & ~inShared & ~inLocal, recording::Space::global, facts, accesses);
    add(w, at, inShared, recording::Space::shared, facts, accesses);
    add(w, at, inLocal, recording::Space::local, facts, accesses);
}

/// wmma: one access for each register of the fragment, or each of its elements.
void addFragment(const Warp& w, const Inst* ip, std::uint32_t on, InstructionFacts facts,
                 std::vector<recording::Access>& accesses) {
    std::uint64_t at[laneCount];
    readAddresses(w, ip, facts.wideAddress, at);
    const auto lead = std::size_t(std::countr_zero(on));
    const MatrixAccess& m = w.worker->launch->code->matrixAccesses[ip->aux];
    const std::uint64_t stride =
        m.hasStride ? lanesOf<std::uint32_t>(w, m.strideRegister)[lead] : std::uint64_t(m.stride);
    const FragmentWalk walk{at[lead], stride, m};
    facts.bytes = std::uint8_t(m.packed ? 4 : bitsOf(m.fragment.element) / 8);
    for (std::uint32_t r = 0; r < m.fragment.map.unique; ++r)
        for (std::uint32_t i = 0; i < m.fragment.map.perRegister; i += walk.step()) {
            walk.addresses(r, i, at);
            addBySpace(w, at, on, facts, accesses);
        }
}

/// A bulk copy's side in global memory: an access for each run of bytes.
void addBulk(const Warp& w, const Inst* ip, std::uint32_t on, InstructionClass kind,
             std::vector<recording::Access>& accesses) {
    const BulkOp& op = w.worker->launch->code->bulkOps[ip->aux];
    for (std::uint32_t m = on; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        for (const BulkCopy::Piece& p : globalPieces(w, op, lane)) {
            recording::Access a;
            a.reads = kind != InstructionClass::store;
            a.writes = kind != InstructionClass::load;
            a.bytes = p.bytes;
            a.lanes = 1u << lane;
            a.addresses.push_back(p.other);
            readValues(w, a);
            accesses.push_back(std::move(a));
        }
    }
}

} // namespace

void noteAccesses(const Warp& w, const Inst* ip, std::uint32_t on, std::vector<recording::Access>& accesses) {
    const InstructionFacts& facts = w.worker->launch->code->sources[std::size_t(ip->source)];
    using Kind = InstructionClass;
    if (facts.kind != Kind::load && facts.kind != Kind::store && facts.kind != Kind::atomic) return;
    if (facts.isBulk) return addBulk(w, ip, on, facts.kind, accesses);
    if (facts.isFragment) {
        if (on) addFragment(w, ip, on, facts, accesses);
        return;
    }
    if (!(on & facts.lanes)) return;
    std::uint64_t at[laneCount];
    readAddresses(w, ip, facts.wideAddress, at);
    addBySpace(w, at, on & facts.lanes, facts, accesses);
}

void noteWrittenValues(const Warp& w, std::vector<recording::Access>& accesses) {
    for (recording::Access& a : accesses)
        if (a.writes) readValues(w, a);
}

} // namespace kernelarium::emulator
