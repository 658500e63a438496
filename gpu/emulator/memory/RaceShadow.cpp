// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/RaceShadow.h"

#include <algorithm>
#include <sys/mman.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t hugePage = 2u << 20;

std::uint64_t recordBytes(std::uint64_t memoryBytes) {
    return memoryBytes / 4 * sizeof(race::Record);
}

race::Record* mapRecords(race::Record* old, std::uint64_t oldBytes, std::uint64_t bytes, bool dense) {
    void* p = old ? mremap(old, oldBytes, bytes, MREMAP_MAYMOVE)
                  : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    // Records of what a kernel touches are touched nearly all: large pages save most of the faults. Only a
    // hint.
    if (dense && bytes >= hugePage) madvise(p, bytes, MADV_HUGEPAGE);
    return static_cast<race::Record*>(p);
}

} // namespace

RaceShadow::~RaceShadow() {
    if (m_writers) munmap(m_writers, recordBytes(m_bytes));
    if (m_readers) munmap(m_readers, recordBytes(m_bytes));
    if (m_weak) munmap(m_weak, recordBytes(m_bytes));
}

bool RaceShadow::grow(std::uint64_t bytes) {
    if (bytes <= m_bytes) return true;
    // Whole pages of records, and room to grow without moving each time.
    const std::uint64_t wanted = std::min((std::max(bytes, 2 * m_bytes) + 0xffffu) & ~std::uint64_t(0xffff), m_most);
    race::Record* writers = mapRecords(m_writers, recordBytes(m_bytes), recordBytes(wanted), true);
    if (!writers) return false;
    m_writers = writers;
    race::Record* readers = mapRecords(m_readers, recordBytes(m_bytes), recordBytes(wanted), true);
    if (!readers) {
        // Back to one size for both; shrinking never fails.
        if (m_bytes)
            m_writers = mapRecords(m_writers, recordBytes(wanted), recordBytes(m_bytes), true);
        else {
            munmap(m_writers, recordBytes(wanted));
            m_writers = nullptr;
        }
        return false;
    }
    m_readers = readers;
    // Few places are stored to by atomics, and these are all that is ever touched here.
    race::Record* weak =
        m_bytes && !m_weak ? nullptr : mapRecords(m_weak, recordBytes(m_bytes), recordBytes(wanted), false);
    if (!weak && m_weak) munmap(m_weak, recordBytes(m_bytes));
    m_weak = weak;
    m_bytes = wanted;
    return true;
}

race::Marks RaceShadow::begin(std::uint64_t memoryBytes, std::uint64_t blocks, std::uint32_t& first) {
    first = 0;
    if (!grow(std::min(memoryBytes, m_most))) return {};
    if (m_next > 1 && m_next + blocks >= race::blockLimit) {
        // The numbers are used up: forget everything.
        madvise(m_writers, recordBytes(m_bytes), MADV_DONTNEED);
        madvise(m_readers, recordBytes(m_bytes), MADV_DONTNEED);
        if (m_weak) madvise(m_weak, recordBytes(m_bytes), MADV_DONTNEED);
        m_next = 1;
        m_touched = 0;
    }
    m_touched = std::max(m_touched, std::min(m_bytes, memoryBytes));
    first = m_next;
    m_next = std::uint32_t(std::min<std::uint64_t>(m_next + blocks, race::blockLimit - 1));
    return {m_writers,
            m_readers,
            nullptr,
            m_weak,
            std::min({m_bytes, m_most, memoryBytes & ~std::uint64_t(3)}),
            race::Record(first) << race::blockShift};
}

std::uint64_t RaceShadow::heldBehind(std::uint64_t offset) const {
    return 2 * recordBytes(m_touched - std::min(m_touched, offset)); // few of the weak ones are touched
}

void RaceShadow::giveBack(std::uint64_t bytes, std::uint64_t offset) {
    constexpr std::uint64_t perByte = 2 * sizeof(race::Record) / 4, piece = 1u << 20;
    const std::uint64_t wanted = (m_touched - std::min(m_touched, bytes / perByte)) & ~(piece - 1);
    const std::uint64_t left = std::max(wanted, std::min(m_touched, (offset + piece - 1) & ~(piece - 1)));
    if (left >= m_touched) return;
    for (race::Record* records : {m_writers, m_readers, m_weak})
        if (records)
            madvise(reinterpret_cast<std::byte*>(records) + recordBytes(left), recordBytes(m_bytes) - recordBytes(left),
                    MADV_DONTNEED);
    m_touched = left;
}

} // namespace kernelarium::emulator
