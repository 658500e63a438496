// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/DevicePool.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr std::uint64_t pageBytes = 2ull << 20; ///< the driver's own granularity

} // namespace

DevicePool::~DevicePool() {
    if (!m_context->makeCurrent()) return;
    trim(0);
    if (m_staging && !m_context->isLost()) m_context->api().cuMemFreeHost(m_staging);
}

std::span<std::byte> DevicePool::staging() {
    if (!m_staging && m_context->api().cuMemAllocHost(&m_staging, stagingBytes) != driverSuccess) m_staging = nullptr;
    return {static_cast<std::byte*>(m_staging), m_staging ? stagingBytes : 0};
}

std::uint64_t DevicePool::reserveOf(std::uint64_t total) {
    return std::max<std::uint64_t>(256ull << 20, total / 50);
}

std::uint64_t DevicePool::kept() const {
    std::uint64_t bytes = 0;
    for (const Slab& slab : m_kept)
        bytes += slab.bytes;
    return bytes;
}

std::uint64_t DevicePool::capacity() {
    const Result<DeviceContext::MemoryState> memory = m_context->memory();
    if (!memory) return 0;
    const std::uint64_t ours = memory->free + kept() + m_lent;
    const std::uint64_t most = ours - std::min(ours, reserveOf(memory->total));
    return m_limit ? std::min(most, m_limit) : most;
}

Result<Slab> DevicePool::take(std::uint64_t bytes, std::uint64_t least) {
    const std::uint64_t wanted = std::max(least, (bytes + pageBytes - 1) / pageBytes * pageBytes);
    const auto fits = [&](const Slab& slab) { return slab.bytes >= wanted && slab.bytes - slab.bytes / 4 <= wanted; };
    auto best = m_kept.end();
    for (auto slab = m_kept.begin(); slab != m_kept.end(); ++slab)
        if (fits(*slab) && (best == m_kept.end() || slab->bytes < best->bytes)) best = slab;
    if (best != m_kept.end()) {
        const Slab slab = *best;
        m_kept.erase(best);
        m_lent += slab.bytes;
        return slab;
    }
    Result<Slab> fresh = allocate(wanted);
    if (!fresh && fresh.error().code == "out_of_memory" && !m_kept.empty()) {
        trim(0);
        fresh = allocate(wanted);
    }
    while (!fresh && fresh.error().code == "out_of_memory" && m_makeRoom && m_makeRoom(wanted) > 0) {
        trim(0);
        fresh = allocate(wanted);
    }
    if (fresh) m_lent += fresh->bytes;
    return fresh;
}

Result<Slab> DevicePool::allocate(std::uint64_t bytes) {
    const Result<DeviceContext::MemoryState> memory = m_context->memory();
    if (!memory) return memory.error();
    const std::uint64_t reserve = reserveOf(memory->total);
    if (m_limit && (m_lent + kept() > m_limit || bytes > m_limit - m_lent - kept()))
        return Error{"out_of_memory",
                     fmt::format("{} more do not fit in the {} of device memory that may be used: {} are in use.",
                                 quantities::bytes(double(bytes)), quantities::bytes(double(m_limit)),
                                 quantities::bytes(double(m_lent))),
                     "Allow more device memory, or use a smaller size."};
    DevicePointer address = 0;
    const bool room = memory->free >= reserve && memory->free - reserve >= bytes;
    const DriverStatus status = room ? m_context->api().cuMemAlloc(&address, bytes) : driverOutOfMemory;
    if (status == driverOutOfMemory)
        return Error{"out_of_memory",
                     fmt::format("{} more do not fit on {}: {} of its {} are free, {} of them are left alone, and this "
                                 "run holds {}.",
                                 quantities::bytes(double(bytes)), m_context->info().name,
                                 quantities::bytes(double(memory->free)), quantities::bytes(double(memory->total)),
                                 quantities::bytes(double(reserve)), quantities::bytes(double(m_lent))),
                     "Use a smaller size, or end other programs that use the GPU."};
    if (auto made =
            m_context->check(status, fmt::format("Allocating {} of device memory", quantities::bytes(double(bytes))));
        !made)
        return made.error();
    return Slab{address, bytes};
}

void DevicePool::giveBack(Slab slab) {
    m_lent -= std::min(m_lent, slab.bytes);
    if (!m_context->isLost()) m_kept.push_back(slab);
}

void DevicePool::trim(std::uint64_t mostKept) {
    std::sort(m_kept.begin(), m_kept.end(), [](const Slab& a, const Slab& b) { return a.bytes < b.bytes; });
    while (kept() > mostKept) {
        if (!m_context->isLost())
            (void)m_context->check(m_context->api().cuMemFree(m_kept.back().address), "Freeing device memory");
        m_kept.pop_back();
    }
}

} // namespace kernelarium::device
