// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/CudaMemory.h"

#include "gpu/emulator/memory/DeviceMemory.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr std::uint64_t alignment = 512; ///< of every allocation, as cudaMalloc's in PyTorch
constexpr std::uint64_t shiftUnit = 512;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

std::uint64_t shiftOf(std::uint64_t salt) {
    return salt == 0 ? 0 : (1 + salt % 251) * shiftUnit;
}

/// Host code's own addresses; an address of the GPU among them could not be told from one of the heap.
bool overlapsHostHeap(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t heap = emulator::DeviceMemory::base, heapEnd = heap + (1ull << 42);
    return address < heapEnd && address + bytes > heap;
}

} // namespace

CudaMemory::CudaMemory(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, const Layout& layout)
    : m_context(std::move(context))
    , m_pool(std::move(pool))
    , m_layout(layout) {
    m_layout.guardBytes = roundUp(m_layout.guardBytes, 16);
    const std::uint64_t room = m_pool->capacity();
    m_layout.capacity = m_layout.capacity == 0 ? room : std::min(m_layout.capacity, room);
}

CudaMemory::~CudaMemory() {
    for (const Slab& slab : m_shared)
        m_pool->giveBack(slab);
    for (const auto& [address, allocation] : m_allocations)
        if (allocation.live && allocation.own.bytes) m_pool->giveBack(allocation.own);
}

const CudaMemory::Allocations::value_type* CudaMemory::find(std::uint64_t address) const {
    const auto after = m_allocations.upper_bound(address);
    if (after == m_allocations.begin()) return nullptr;
    const auto& entry = *std::prev(after);
    const bool inside = address - entry.first < std::max<std::uint64_t>(entry.second.bytes, 1);
    return entry.second.live && inside ? &entry : nullptr;
}

Result<void> CudaMemory::checkRange(const char* what, std::uint64_t address, std::uint64_t bytes) const {
    if (m_context->isLost()) return m_context->lostError();
    const auto* entry = find(address);
    if (entry && bytes <= entry->first + entry->second.bytes - address) return {};
    if (entry)
        return Error{"out_of_bounds", fmt::format("{} of {} bytes at {:#x} leaves {} ({} bytes).", what, bytes, address,
                                                  entry->second.label, entry->second.bytes)};
    return Error{"out_of_bounds",
                 fmt::format("{} of {} bytes at {:#x} is outside every allocation.", what, bytes, address)};
}

Result<void> CudaMemory::checkRoom(std::uint64_t bytes, const std::string& label) const {
    if (bytes <= m_layout.capacity && m_used <= m_layout.capacity - bytes) return {};
    return Error{"out_of_memory",
                 fmt::format("Out of device memory: {} bytes asked for {}, {} of {} bytes in use.", bytes, label,
                             m_used, m_layout.capacity),
                 "Use a smaller size, or end other programs that use the GPU."};
}

/// Gives the allocation an address: in a slab of its own where it is large, else behind the one before.
Result<std::uint64_t> CudaMemory::place(Allocation& allocation) {
    const std::uint64_t guard = allocation.guard, shift = shiftOf(m_layout.addressSalt);
    const std::uint64_t size = std::max<std::uint64_t>(allocation.bytes, 1);
    const std::uint64_t needed = shift + roundUp(guard, alignment) + size + guard + alignment;
    if (needed > DevicePool::slabBytes / 4) {
        constexpr std::uint64_t asIs = 0; // several calls' tensors are held at a time, and kept for the next run
        Result<Slab> slab = m_pool->take(needed, asIs);
        if (!slab) return slab.error();
        allocation.own = *slab;
        return roundUp(slab->address + shift + guard, alignment);
    }
    if (m_shared.empty() || m_next + needed > m_shared.back().address + m_shared.back().bytes) {
        Result<Slab> slab = m_pool->take(DevicePool::slabBytes);
        if (!slab) return slab.error();
        m_shared.push_back(*slab);
        m_next = slab->address + shift;
    }
    const std::uint64_t start = roundUp(m_next + guard, alignment);
    // Neighbours never touch, so that what runs over the end first meets a guard band.
    m_next = roundUp(start + size + guard + 16, 16);
    return start;
}

Result<std::uint64_t> CudaMemory::allocate(std::uint64_t bytes, std::string label) {
    if (m_context->isLost()) return m_context->lostError();
    const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
    if (auto room = checkRoom(size, label); !room) return room.error();
    Allocation made{bytes, m_layout.guardBytes, std::move(label), true, {}};
    Result<std::uint64_t> start = place(made);
    if (!start) return start;
    Result<void> usable = poison(*start - made.guard, *start + size + made.guard);
    if (usable && overlapsHostHeap(*start, size))
        usable = Error{"device", "The driver gave memory at an address that host code uses itself.", "Try again."};
    if (!usable) {
        if (made.own.bytes) m_pool->giveBack(made.own);
        return usable.error();
    }
    m_used += size;
    m_peak = std::max(m_peak, m_used);
    m_allocations.insert_or_assign(*start, std::move(made));
    return start;
}

Result<void> CudaMemory::poison(std::uint64_t from, std::uint64_t to) const {
    // Both ends lie in our slab, so that the last word may be filled whole.
    return m_context->check(m_context->api().cuMemsetD32(from, m_layout.poison, (to - from + 3) / 4),
                            "Poisoning fresh memory");
}

Result<void> CudaMemory::release(std::uint64_t address) {
    if (m_context->isLost()) return m_context->lostError();
    const auto found = m_allocations.find(address);
    if (found == m_allocations.end() || !found->second.live || found->second.guard < m_layout.guardBytes)
        return Error{"bad_free", fmt::format("{:#x} is not the start of a live allocation.", address)};
    Allocation& allocation = found->second;
    const std::uint64_t size = std::max<std::uint64_t>(allocation.bytes, 1);
    if (allocation.own.bytes) collectDamage(guardsOf(address, allocation), m_damagedBefore);
    if (auto filled = poison(address, address + size); !filled) return filled;
    allocation.live = false;
    m_used -= size;
    if (allocation.own.bytes) m_pool->giveBack(allocation.own);
    return {};
}

void CudaMemory::adopt(std::uint64_t address, std::uint64_t bytes, std::string label) {
    if (find(address)) return;
    m_allocations.insert_or_assign(address, Allocation{bytes, 0, std::move(label), true, {}});
}

/// The guard bands of an allocation.
std::array<CudaMemory::Guard, 2> CudaMemory::guardsOf(std::uint64_t address, const Allocation& a) {
    const std::uint64_t end = address + std::max<std::uint64_t>(a.bytes, 1);
    return {Guard{address - a.guard, &a, "before"}, Guard{end, &a, "after"}};
}

bool CudaMemory::holdsPoison(const Guard& guard, std::span<const std::byte> raw) const {
    const auto* pattern = reinterpret_cast<const std::byte*>(&m_layout.poison);
    for (std::uint64_t i = 0; i < raw.size(); ++i)
        if (raw[i] != pattern[(guard.address + i) & 3]) return false;
    return true;
}

/// One that cannot be read is not called damaged: the context is lost then.
void CudaMemory::collectDamage(std::span<const Guard> guards, std::vector<std::string>& damaged) const {
    const DriverApi& api = m_context->api();
    const auto copied = [&](DriverStatus status) { return m_context->check(status, "Reading a guard band").ok(); };
    const auto look = [&](const Guard& guard, std::span<const std::byte> raw) {
        if (!holdsPoison(guard, raw))
            damaged.push_back(
                fmt::format("Memory {} {} ({} bytes) was overwritten.", guard.side, guard.of->label, guard.of->bytes));
    };
    const std::span<std::byte> staging = m_pool->staging();
    while (!guards.empty()) {
        // As many as find room are read at once, and waited for once.
        std::size_t used = 0, count = 0;
        while (count < guards.size() && guards[count].of->guard <= staging.size() - used)
            used += guards[count++].of->guard;
        if (count == 0) {
            std::vector<std::byte> raw(guards[0].of->guard);
            if (!raw.empty() && copied(api.cuMemcpyDtoH(raw.data(), guards[0].address, raw.size())))
                look(guards[0], raw);
            guards = guards.subspan(1);
            continue;
        }
        std::byte* to = staging.data();
        bool all = true;
        for (const Guard& guard : guards.first(count)) {
            const std::uint64_t bytes = guard.of->guard;
            all = all && (bytes == 0 || copied(api.cuMemcpyDtoHAsync(to, guard.address, bytes, nullptr)));
            to += bytes;
        }
        all = copied(api.cuCtxSynchronize()) && all; // waited for in any case: the memory is used again
        std::byte* from = staging.data();
        for (const Guard& guard : guards.first(count)) {
            const auto bytes = std::size_t(guard.of->guard);
            // Where one of them could not be read, each is read for itself.
            const bool there = all || (bytes && copied(api.cuMemcpyDtoH(from, guard.address, bytes)));
            if (there) look(guard, {from, bytes});
            from += bytes;
        }
        guards = guards.subspan(count);
    }
}

std::vector<std::string> CudaMemory::damagedGuards() const {
    std::vector<std::string> damaged = m_damagedBefore;
    std::vector<Guard> guards;
    for (const auto& [address, allocation] : m_allocations) {
        const bool gone = !allocation.live && allocation.own.bytes;
        if (!gone)
            for (const Guard& guard : guardsOf(address, allocation))
                guards.push_back(guard);
    }
    if (!m_context->isLost()) collectDamage(guards, damaged);
    return damaged;
}

} // namespace kernelarium::device
