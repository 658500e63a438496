// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/DeviceMemory.h"

#include "gpu/emulator/memory/MemoryPages.h"
#include "gpu/emulator/memory/Pages.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t addressPage = 4096;

/// Repeats the pattern so that a 4-byte aligned word holds it, whatever the start.
void fillPattern(std::byte* memory, std::uint64_t start, std::uint64_t bytes, std::uint32_t pattern) {
    const auto* raw = reinterpret_cast<const std::byte*>(&pattern);
    std::uint64_t i = 0;
    for (; i < bytes && ((start + i) & 3); ++i)
        memory[start + i] = raw[(start + i) & 3];
    std::fill_n(reinterpret_cast<std::uint32_t*>(memory + start + i), (bytes - i) / 4, pattern);
    for (i += (bytes - i) / 4 * 4; i < bytes; ++i)
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

/// Offset of the first byte that lacks the bit; `bytes` where none does.
std::uint64_t firstWithout(std::uint8_t bit, const std::uint8_t* states, std::uint64_t bytes) {
    constexpr std::uint64_t piece = 256; // of vectors: no way out of its loop
    std::uint64_t at = 0;
    for (; at + piece <= bytes; at += piece) {
        std::uint8_t all = bit;
        for (std::uint64_t i = 0; i < piece; ++i)
            all &= states[at + i];
        if (!all) break;
    }
    while (at < bytes && (states[at] & bit))
        ++at;
    return at;
}

Error outOfBounds(const char* what, std::uint64_t address, std::uint64_t bytes) {
    return {"out_of_bounds", fmt::format("{} of {} bytes at {:#x} is outside every allocation.", what, bytes, address),
            "", ""};
}

} // namespace

std::uint64_t DeviceMemory::reservation(std::uint64_t capacity) {
    return 2 * MemoryPages::rangeOf(roundUp(capacity, addressPage));
}

DeviceMemory::DeviceMemory(std::uint64_t capacity, Tracking tracking)
    : DeviceMemory(std::make_shared<MemoryPages>(roundUp(capacity, addressPage), tracking == Tracking::states)) {}

DeviceMemory::DeviceMemory(std::shared_ptr<MemoryPages> pages)
    : m_pages(std::move(pages))
    , m_capacity(m_pages->capacity())
    , m_next(addressPage)
    , m_data(m_pages->data())
    , m_states(m_pages->states()) {
    m_pages->begin();
}

std::shared_ptr<MemoryPages> DeviceMemory::makePages(std::uint64_t capacity) {
    return std::make_shared<MemoryPages>(roundUp(capacity, addressPage), true);
}

DeviceMemory::~DeviceMemory() {
    if (m_pages.use_count() == 1) return; // they go with it
    for (const auto& [address, g] : m_allocations)
        if (g.mapped)
            dropPages(reinterpret_cast<std::byte*>(m_states + (g.allocation.address - base)), g.allocation.bytes);
    m_pages->end();
}

RaceShadow& DeviceMemory::races() {
    return m_pages->races();
}

Result<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, std::string label, const Options& options) {
    const std::uint64_t guard = roundUp(options.guard, 16);
    const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
    const auto place = placeFor(size, options.alignment, guard);
    if (!place)
        return Error{"out_of_memory",
                     fmt::format("Out of emulated device memory: {} bytes asked for {}, {} of {} bytes in use.", bytes,
                                 label, m_used, m_capacity),
                     "Use a smaller size, or allow the emulator more memory.", ""};
    const std::uint64_t start = place->start;
    const bool isFresh = place->range.end > m_next;
    const bool isGiven = !options.contents.empty() && isTracked() && !m_watch;
    const std::uint64_t used = m_pages->used();
    if (isFresh) m_pages->need(place->range.end);
    if (place->range.first < used) clearAround(place->range, start, bytes, guard);
    fillPattern(m_data, start - guard, guard, options.pattern);
    if (isTracked() && (options.poison || isGiven)) {
        if (isFresh)
            growInLargePages(m_data, m_next, place->range.end);
        else
            askForLargePages(m_data + start, size);
    }
    if (isGiven)
        std::memcpy(m_data + start, options.contents.data(), bytes);
    else if (options.poison && isTracked())
        fillPattern(m_data, start, size, options.pattern);
    else if (!isFresh || start < used)
        dropPages(m_data + start, size);
    fillPattern(m_data, start + size, guard, options.pattern);
    if (isGiven) {
        fillStates(m_states + start, bytes, accessBits(options.owner) | stateInitialised);
    } else if (isTracked()) {
        askForLargePages(m_states + start, bytes);
        std::memset(m_states + start, accessBits(options.owner), bytes);
    }
    m_next = std::max(m_next, place->range.end);
    m_used += size;
    m_peak = std::max(m_peak, m_used);
    Guarded g{
        {base + start, bytes, guard, options.owner, std::move(label), true}, options.pattern, place->range, isGiven};
    markWatched(g.allocation);
    m_allocations.emplace(base + start, std::move(g));
    if (!options.contents.empty() && !isGiven)
        if (Result<void> written = write(base + start, options.contents); !written) return written.error();
    return base + start;
}

void DeviceMemory::clearAround(const Range& range, std::uint64_t start, std::uint64_t bytes, std::uint64_t guard) {
    const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
    std::memset(m_data + range.first, 0, start - guard - range.first);
    std::memset(m_data + start + size + guard, 0, range.end - (start + size + guard));
    if (!isTracked()) return;
    std::memset(m_states + range.first, 0, start - range.first);
    std::memset(m_states + start + bytes, 0, range.end - (start + bytes));
}

std::optional<FreedRanges::Place> DeviceMemory::placeFor(std::uint64_t bytes, std::uint64_t alignment,
                                                         std::uint64_t guard) {
    if (bytes > m_capacity || m_used + bytes > m_capacity) return std::nullopt; // also keeps the sums from wrapping
    const auto fresh = FreedRanges::placeFrom(m_next, bytes, alignment, guard);
    if (fresh.range.end <= MemoryPages::rangeOf(m_capacity)) return fresh;
    for (;;) {
        if (auto place = m_again.take(bytes, alignment, guard)) return place;
        // Doubling what is forgotten keeps the searches few.
        for (std::size_t i = std::max<std::size_t>(m_freed.size() / 2, 1); i > 0; --i) {
            if (m_freed.empty()) return std::nullopt;
            forgetOldest();
        }
    }
}

void DeviceMemory::forgetOldest() {
    const auto found = m_allocations.find(m_freed.front());
    const Guarded& g = found->second;
    noteDamage(g, m_damagedOnce);
    m_freedBytes -= std::max<std::uint64_t>(g.allocation.bytes, 1);
    const Range gone = g.range;
    m_allocations.erase(found);
    m_freed.pop_front();
    const Range free = m_again.add(gone);
    // Memory goes back in blocks, when the last allocation that lies in them is forgotten.
    constexpr std::uint64_t block = 64u << 10;
    const std::uint64_t first = std::max(roundUp(free.first, block), gone.first / block * block);
    const std::uint64_t end = std::min(free.end / block * block, roundUp(gone.end, block));
    if (first >= end) return;
    dropPages(m_data + first, end - first);
    if (isTracked()) dropPages(reinterpret_cast<std::byte*>(m_states + first), end - first);
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

void DeviceMemory::watch(std::uint64_t address, std::uint64_t bytes, std::function<Writer()> hostWriter,
                         std::uint32_t grain) {
    const bool inside = address >= base && bytes <= m_capacity && address - base <= m_capacity - bytes;
    m_watch = std::make_unique<WriteWatch>(address, bytes, std::move(hostWriter), grain,
                                           inside ? m_data + (address - base) : nullptr);
}

void DeviceMemory::markWatched(const Allocation& a) {
    if (!m_watch || !isTracked() || a.owner != Owner::device) return;
    const std::uint64_t first = std::max(a.address, m_watch->address());
    const std::uint64_t end = std::min(a.address + a.bytes, m_watch->address() + m_watch->bytes());
    if (first < end) m_watch->forget(first, end - first);
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
    const std::uint64_t size = std::max<std::uint64_t>(a.bytes, 1);
    m_used -= size;
    m_freed.push_back(address);
    m_freedBytes += size;
    constexpr std::size_t mostRemembered = 65'536;
    while (m_freed.size() > mostRemembered || (m_freedBytes > m_capacity / 4 && m_freed.size() > 1))
        forgetOldest();
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
    std::memmove(m_data + (address - base), bytes.data(), bytes.size()); // what is lent (Memory::lend) may lie here
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
    const std::uint64_t first = firstWithout(stateInitialised, m_states + start, bytes);
    return first < bytes ? std::optional(first) : std::nullopt;
}

void DeviceMemory::markInitialised(std::uint64_t address, std::uint64_t bytes) {
    noteHostWrite(address, bytes);
    if (!isTracked()) return;
    std::uint8_t* state = m_states + (address - base);
    for (std::uint64_t i = 0; i < bytes; ++i)
        state[i] = std::uint8_t((state[i] & ~stateContent) | stateInitialised);
}

void DeviceMemory::noteDamage(const Guarded& g, std::vector<std::string>& damaged) const {
    const Allocation& a = g.allocation;
    const std::uint64_t start = a.address - base;
    const std::uint64_t end = start + std::max<std::uint64_t>(a.bytes, 1);
    const auto note = [&](const char* where) {
        if (damaged.size() < mostDamage)
            damaged.push_back(fmt::format("Memory {} {} ({} bytes) was overwritten.", where, a.label, a.bytes));
        else
            damaged.resize(mostDamage + 1, "And more guard bands were overwritten.");
    };
    if (!holdsPattern(m_data, start - a.guard, a.guard, g.pattern)) note("before");
    if (!holdsPattern(m_data, end, a.guard, g.pattern)) note("after");
}

std::vector<std::string> DeviceMemory::damagedGuards() const {
    std::vector<std::string> damaged = m_damagedOnce;
    for (const auto& [address, g] : m_allocations)
        noteDamage(g, damaged);
    return damaged;
}

} // namespace kernelarium::emulator
