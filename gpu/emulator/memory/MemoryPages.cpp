// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/MemoryPages.h"

#include "gpu/emulator/memory/Pages.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace kernelarium::emulator {

namespace {

std::byte* reserve(std::uint64_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

/// Bytes of a memory of this capacity that have race records.
std::uint64_t watchedOf(std::uint64_t capacity) {
    return std::max<std::uint64_t>(capacity / 8, 16u << 20);
}

} // namespace

MemoryPages::MemoryPages(std::uint64_t capacity, bool hasStates)
    : m_capacity(capacity)
    , m_range(rangeOf(capacity)) {
    m_data = reserve(m_range);
    if (hasStates) m_states = reinterpret_cast<std::uint8_t*>(reserve(m_range));
    m_races.setMost(watchedOf(m_capacity));
    if (m_data && (!hasStates || m_states)) return;
    if (m_data) munmap(m_data, m_range);
    throw std::bad_alloc();
}

MemoryPages::~MemoryPages() {
    leave();
    munmap(m_data, m_range);
    if (m_states) munmap(m_states, m_range);
}

bool MemoryPages::suit(std::uint64_t capacity) {
    if (rangeOf(capacity) > m_range) return false;
    m_capacity = capacity;
    m_most = 0;
    m_races.setMost(watchedOf(capacity));
    return true;
}

void MemoryPages::begin() {
    // It may fill as much as the largest of the others did.
    std::uint64_t missing = 0;
    tensor::MemoryReuse::apart([&] { missing = m_most - std::min(m_most, idle()); });
    if (missing) tensor::MemoryReuse::makeRoom(missing);
}

void MemoryPages::need(std::uint64_t end) {
    std::uint64_t more = 0;
    tensor::MemoryReuse::apart([&] {
        m_needed = end;
        if (end > m_used) more = copies() * (end - m_used);
        m_used = std::max(m_used, end);
    });
    if (more) tensor::MemoryReuse::makeRoom(more);
}

void MemoryPages::end() {
    tensor::MemoryReuse::noteUse();
    tensor::MemoryReuse::apart([&] {
        m_most = std::max(m_most, copies() * m_needed + m_races.heldBehind(0));
        m_needed = 0;
    });
}

std::uint64_t MemoryPages::idle() const {
    return copies() * (m_used - m_needed) + m_races.heldBehind(m_needed);
}

std::uint64_t MemoryPages::giveBack(std::uint64_t bytes) {
    const std::uint64_t before = idle();
    m_races.giveBack(bytes, m_needed);
    if (const std::uint64_t given = before - idle(); given < bytes) {
        // From the end: what a run needs first stays.
        constexpr std::uint64_t largePage = 2u << 20;
        const std::uint64_t more = (bytes - given) / copies();
        const std::uint64_t wanted = (m_used - std::min(m_used, more)) & ~(largePage - 1);
        const std::uint64_t left = std::max(wanted, std::min(m_used, roundUp(m_needed, largePage)));
        dropPages(m_data + left, m_used - left);
        if (m_states) dropPages(reinterpret_cast<std::byte*>(m_states + left), m_used - left);
        m_used = left;
    }
    return before - idle();
}

} // namespace kernelarium::emulator
