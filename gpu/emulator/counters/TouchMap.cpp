// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/TouchMap.h"

#include <bit>
#include <new>
#include <sys/mman.h>

namespace kernelarium::emulator {

TouchMap::TouchMap(std::uint64_t limit)
    : m_sectors((limit >> sectorShift) + 1)
    , m_bytes((m_sectors / 64 + 1) * sizeof(Word)) {
    static_assert(sizeof(Word) == 8);
    void* both = mmap(nullptr, 2 * m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (both == MAP_FAILED) throw std::bad_alloc();
    m_loaded = static_cast<Word*>(both);
    m_stored = m_loaded + m_bytes / sizeof(Word);
}

TouchMap::~TouchMap() {
    if (m_loaded) munmap(m_loaded, 2 * m_bytes);
}

TouchMap::Touched TouchMap::within(std::uint64_t offset, std::uint64_t bytes) const {
    Touched sum;
    if (bytes == 0) return sum;
    const std::uint64_t first = offset >> sectorShift;
    const std::uint64_t last = std::min((offset + bytes - 1) >> sectorShift, m_sectors - 1);
    for (std::uint64_t word = first >> 6; word <= last >> 6; ++word) {
        std::uint64_t mask = ~std::uint64_t(0);
        if (word == first >> 6) mask &= ~std::uint64_t(0) << (first & 63);
        if (word == last >> 6) mask &= ~std::uint64_t(0) >> (63 - (last & 63));
        const std::uint64_t loaded = m_loaded[word].load(std::memory_order_relaxed) & mask;
        const std::uint64_t stored = m_stored[word].load(std::memory_order_relaxed) & mask;
        sum.loaded += std::uint64_t(std::popcount(loaded));
        sum.stored += std::uint64_t(std::popcount(stored));
        sum.either += std::uint64_t(std::popcount(loaded | stored));
    }
    return sum;
}

} // namespace kernelarium::emulator
