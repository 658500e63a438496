// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/DeviceMemory.h"

#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>

namespace kernelarium::emulator {

namespace {

std::byte* reserve(std::uint64_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) & ~(to - 1);
}

/// Room for alignment and guard bands on top of what may be asked for.
std::uint64_t rangeOf(std::uint64_t capacity) {
    return capacity + capacity / 8 + (64u << 20);
}

/// Repeats the pattern so that a 4-byte aligned word holds it, whatever the start.
void fillPattern(std::byte* memory, std::uint64_t start, std::uint64_t bytes, std::uint32_t pattern) {
    const auto* raw = reinterpret_cast<const std::byte*>(&pattern);
    std::uint64_t i = 0;
    for (; i < bytes && ((start + i) & 3); ++i)
        memory[start + i] = raw[(start + i) & 3];
    for (; i + 4 <= bytes; i += 4)
        std::memcpy(memory + start + i, raw, 4);
    for (; i < bytes; ++i)
        memory[start + i] = raw[(start + i) & 3];
}

bool holdsPattern(const std::byte* memory, std::uint64_t start, std::uint64_t bytes, std::uint32_t pattern) {
    const auto* raw = reinterpret_cast<const std::byte*>(&pattern);
    for (std::uint64_t i = start; i < start + bytes; ++i)
        if (memory[i] != raw[i & 3]) return false;
    return true;
}

std::uint8_t accessBits(Owner owner) {
    switch (owner) {
    case Owner::device: return DeviceMemory::stateDevice;
    case Owner::hostHeap: return DeviceMemory::stateHost;
    default: return DeviceMemory::stateDevice | DeviceMemory::stateHost;
    }
}

constexpr std::uint64_t page = 4096;

/// Makes the bytes zero, by giving whole pages back.
void dropPages(std::byte* memory, std::uint64_t bytes) {
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = roundUp(start, page), last = (start + bytes) & ~(page - 1);
    if (first >= last || mmap(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        std::memset(memory, 0, bytes);
        return;
    }
    std::memset(memory, 0, first - start);
    std::memset(reinterpret_cast<void*>(last), 0, start + bytes - last);
}

Error outOfBounds(const char* what, std::uint64_t address, std::uint64_t bytes) {
    return {"out_of_bounds", fmt::format("{} of {} bytes at {:#x} is outside every allocation.", what, bytes, address),
            "", ""};
}

} // namespace

std::uint64_t DeviceMemory::reservation(std::uint64_t capacity) {
    return 2 * rangeOf(roundUp(capacity, 4096));
}

DeviceMemory::DeviceMemory(std::uint64_t capacity, Tracking tracking)
    : m_capacity(roundUp(capacity, 4096))
    , m_next(4096) {
    const std::uint64_t range = rangeOf(m_capacity);
    m_data = reserve(range);
    if (tracking == Tracking::states) m_states = reinterpret_cast<std::uint8_t*>(reserve(range));
    m_races.setMost(std::max<std::uint64_t>(m_capacity / 8, 16u << 20));
    if (!m_data || (tracking == Tracking::states && !m_states)) throw std::bad_alloc();
}

DeviceMemory::~DeviceMemory() {
    const std::uint64_t range = rangeOf(m_capacity);
    if (m_data) munmap(m_data, range);
    if (m_states) munmap(m_states, range);
}

Result<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, std::string label, const Options& options) {
    const std::uint64_t range = rangeOf(m_capacity);
    const std::uint64_t guard = roundUp(options.guard, 16);
    const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
    // The first test keeps the sums below from wrapping.
    if (size > m_capacity || m_used + size > m_capacity ||
        roundUp(m_next + guard, options.alignment) + size + guard > range)
        return Error{"out_of_memory",
                     fmt::format("Out of emulated device memory: {} bytes asked for {}, {} of {} bytes in use.", bytes,
                                 label, m_used, m_capacity),
                     "Use a smaller size, or allow the emulator more memory.", ""};
    const std::uint64_t start = roundUp(m_next + guard, options.alignment);
    fillPattern(m_data, start - guard, guard, options.pattern);
    if (options.poison && isTracked()) fillPattern(m_data, start, size, options.pattern);
    fillPattern(m_data, start + size, guard, options.pattern);
    if (isTracked()) std::memset(m_states + start, accessBits(options.owner), bytes);
    // Neighbours never touch, so that an access past the end is always seen.
    m_next = roundUp(start + size + guard + 16, 16);
    m_used += size;
    m_peak = std::max(m_peak, m_used);
    Guarded g{{base + start, bytes, guard, options.owner, std::move(label), true}, options.pattern};
    markWatched(g.allocation);
    m_allocations.emplace(base + start, std::move(g));
    return base + start;
}

bool DeviceMemory::giveTo(Owner owner, std::uint64_t address) {
    const auto found = m_allocations.find(address);
    if (found == m_allocations.end() || !found->second.allocation.live) return false;
    Allocation& a = found->second.allocation;
    constexpr std::uint8_t sides = stateDevice | stateHost;
    for (std::uint64_t at = a.address - base; isTracked() && at < a.address - base + a.bytes; ++at)
        m_states[at] = std::uint8_t((m_states[at] & ~sides) | accessBits(owner));
    a.owner = owner;
    return true;
}

void DeviceMemory::watch(std::uint64_t address, std::uint64_t bytes, std::function<Writer()> hostWriter) {
    m_watch = std::make_unique<WriteWatch>(address, bytes, std::move(hostWriter));
}

void DeviceMemory::markWatched(const Allocation& a) {
    if (!m_watch || !isTracked() || a.owner != Owner::device) return;
    const std::uint64_t first = std::max(a.address, m_watch->address());
    const std::uint64_t end = std::min(a.address + a.bytes, m_watch->address() + m_watch->bytes());
    for (std::uint64_t at = first; at < end; ++at)
        m_states[at - base] = stateWatched;
}

Result<void> DeviceMemory::release(std::uint64_t address, std::uint32_t pattern) {
    const auto found = m_allocations.find(address);
    if (found == m_allocations.end() || !found->second.allocation.live)
        return Error{"bad_free", fmt::format("{:#x} is not the start of a live allocation.", address), "", ""};
    Allocation& a = found->second.allocation;
    const std::uint64_t start = a.address - base;
    if (isTracked()) {
        fillPattern(m_data, start, a.bytes, pattern);
        std::memset(m_states + start, 0, a.bytes);
    } else {
        dropPages(m_data + start, a.bytes);
    }
    a.live = false;
    m_used -= std::max<std::uint64_t>(a.bytes, 1);
    return {};
}

const Allocation* DeviceMemory::find(std::uint64_t address) const {
    auto after = m_allocations.upper_bound(address);
    if (after == m_allocations.begin()) return nullptr;
    const Allocation& a = std::prev(after)->second.allocation;
    return a.live && address - a.address < std::max<std::uint64_t>(a.bytes, 1) ? &a : nullptr;
}

const Allocation* DeviceMemory::nearest(std::uint64_t address) const {
    auto after = m_allocations.upper_bound(address);
    const Allocation* above = after == m_allocations.end() ? nullptr : &after->second.allocation;
    const Allocation* below = after == m_allocations.begin() ? nullptr : &std::prev(after)->second.allocation;
    if (!above || !below) return above ? above : below;
    const std::uint64_t past = address - std::min(address, below->address + below->bytes);
    return past <= above->address - address ? below : above;
}

Result<void> DeviceMemory::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    const Allocation* a = find(address);
    if (!a || bytes.size() > a->address + a->bytes - address) return outOfBounds("A write", address, bytes.size());
    std::memcpy(m_data + (address - base), bytes.data(), bytes.size());
    markInitialised(address, bytes.size());
    return {};
}

Result<void> DeviceMemory::read(std::uint64_t address, std::span<std::byte> out) const {
    if (out.empty()) return {};
    const Allocation* a = find(address);
    if (!a || out.size() > a->address + a->bytes - address) return outOfBounds("A read", address, out.size());
    std::memcpy(out.data(), m_data + (address - base), out.size());
    return {};
}

Result<void> DeviceMemory::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    if (bytes == 0) return {};
    const Allocation* a = find(address);
    if (!a || bytes > a->address + a->bytes - address) return outOfBounds("A fill", address, bytes);
    if (!isTracked() && value == 0)
        dropPages(m_data + (address - base), bytes);
    else
        std::memset(m_data + (address - base), value, bytes);
    markInitialised(address, bytes);
    return {};
}

Result<void> DeviceMemory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (bytes == 0) return {};
    const Allocation* source = find(from);
    const Allocation* target = find(to);
    if (!source || bytes > source->address + source->bytes - from) return outOfBounds("A copy from", from, bytes);
    if (!target || bytes > target->address + target->bytes - to) return outOfBounds("A copy to", to, bytes);
    std::memmove(m_data + (to - base), m_data + (from - base), bytes);
    noteHostWrite(to, bytes);
    if (!isTracked()) return {};
    // The target keeps who may access it, and takes what is known to be written.
    const bool ascending = to < from;
    for (std::uint64_t k = 0; k < bytes; ++k) {
        const std::uint64_t i = ascending ? k : bytes - 1 - k;
        std::uint8_t& state = m_states[to - base + i];
        state = std::uint8_t((state & ~stateContent) | (m_states[from - base + i] & stateContent));
    }
    return {};
}

std::optional<std::uint64_t> DeviceMemory::firstUninitialised(std::uint64_t address, std::uint64_t bytes) const {
    if (!isTracked()) return std::nullopt;
    const std::uint64_t start = address - base;
    if (address < base || start + bytes > m_next) return 0;
    for (std::uint64_t i = 0; i < bytes; ++i)
        if (!(m_states[start + i] & stateInitialised)) return i;
    return std::nullopt;
}

void DeviceMemory::markInitialised(std::uint64_t address, std::uint64_t bytes) {
    noteHostWrite(address, bytes);
    if (!isTracked()) return;
    std::uint8_t* state = m_states + (address - base);
    for (std::uint64_t i = 0; i < bytes; ++i)
        state[i] = std::uint8_t((state[i] & ~stateContent) | stateInitialised);
}

std::vector<std::string> DeviceMemory::damagedGuards() const {
    constexpr std::size_t mostSaid = 256;
    std::vector<std::string> damaged;
    std::size_t unsaid = 0;
    const auto say = [&](std::string sentence) {
        if (damaged.size() < mostSaid)
            damaged.push_back(std::move(sentence));
        else
            ++unsaid;
    };
    for (const auto& [address, g] : m_allocations) {
        const Allocation& a = g.allocation;
        const std::uint64_t start = address - base;
        const std::uint64_t end = start + std::max<std::uint64_t>(a.bytes, 1);
        if (!holdsPattern(m_data, start - a.guard, a.guard, g.pattern))
            say(fmt::format("Memory before {} ({} bytes) was overwritten.", a.label, a.bytes));
        if (!holdsPattern(m_data, end, a.guard, g.pattern))
            say(fmt::format("Memory after {} ({} bytes) was overwritten.", a.label, a.bytes));
    }
    if (unsaid > 0) damaged.push_back(fmt::format("And {} more guard bands were overwritten.", unsaid));
    return damaged;
}

} // namespace kernelarium::emulator
