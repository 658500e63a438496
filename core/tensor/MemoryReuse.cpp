// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/MemoryReuse.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace kernelarium::tensor {

namespace {

constexpr std::size_t largePage = 2 << 20;
constexpr std::size_t fresh = 4 << 20; ///< from this size on a block is asked for in large pages, and kept
constexpr std::size_t lineBytes = 64;
constexpr std::size_t mostLarger = 8; ///< a block may be longer than is asked for by one part of so many

std::align_val_t alignmentOf(std::size_t bytes) {
    return std::align_val_t(bytes >= fresh ? largePage : lineBytes);
}

std::byte* allocate(std::size_t bytes) {
    // In large pages, where the system has them, a first use takes less than a copy.
    auto* block = static_cast<std::byte*>(::operator new(bytes, alignmentOf(bytes)));
    if (bytes >= fresh) ::madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

void release(std::byte* block, std::size_t bytes) noexcept {
    ::operator delete(block, alignmentOf(bytes));
}

/// Bytes of memory that this process holds alone; 0 where the system does not say. From /proc/self/statm (proc(5)):
/// size, resident, shared, all in pages. A file that is mapped over and over (fillStates) counts as resident each time.
std::uint64_t heldNow() {
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 128> text{};
    const ssize_t count = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    if (count <= 0) return 0;
    char* end = nullptr;
    std::strtoull(text.data(), &end, 10); // what is reserved
    const std::uint64_t resident = std::strtoull(end, &end, 10), shared = std::strtoull(end, nullptr, 10);
    return (resident - std::min(resident, shared)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

/// All that is kept, and how much may be.
struct Kept {
    std::mutex mutex; ///< of all but `users`
    std::atomic<int> users = 0;
    std::uint64_t most = 0; ///< that was in use at a time
    std::multimap<std::size_t, std::byte*> blocks;
    std::uint64_t idleBlocks = 0;                   ///< bytes of these
    std::map<const std::byte*, std::size_t> larger; ///< lengths of those in use that are longer than was asked for
    std::vector<IdleMemory*> others;

    std::uint64_t giveBlocks(std::uint64_t bytes) {
        std::uint64_t given = 0;
        while (given < bytes && !blocks.empty()) {
            const auto largest = std::prev(blocks.end());
            given += largest->first;
            idleBlocks -= largest->first;
            release(largest->second, largest->first);
            blocks.erase(largest);
        }
        return given;
    }
    [[nodiscard]] std::uint64_t idle() const {
        std::uint64_t all = idleBlocks;
        for (const IdleMemory* other : others)
            all += other->idle();
        return all;
    }
    void noteUse() {
        const std::uint64_t held = heldNow();
        most = std::max(most, held - std::min(held, idle()));
    }
    /// So many bytes, or all that there is.
    std::uint64_t give(std::uint64_t bytes) {
        std::uint64_t given = giveBlocks(bytes);
        for (IdleMemory* other : others)
            if (given < bytes && other->idle() > 0) given += other->giveBack(bytes - given);
        return given;
    }
    /// Until so many bytes more fit under `most`, or nothing is idle.
    void makeRoom(std::uint64_t bytes) {
        while (idle() > 0) {
            const std::uint64_t wanted = heldNow() + bytes;
            if (wanted <= most || give(wanted - most) == 0) return;
        }
    }
    /// Of what is idle, no more than so many bytes stay.
    void keepOnly(std::uint64_t bytes) {
        for (std::uint64_t there = idle(); there > bytes; there = idle())
            if (give(there - bytes) == 0) break;
        most = heldNow();
    }
};

Kept& kept() {
    static auto* one = new Kept; // tensors may end after everything that is static
    return *one;
}

} // namespace

IdleMemory::IdleMemory() {
    const std::scoped_lock lock(kept().mutex);
    kept().others.push_back(this);
}

IdleMemory::~IdleMemory() {
    leave();
}

void IdleMemory::leave() {
    const std::scoped_lock lock(kept().mutex);
    std::erase(kept().others, this);
}

MemoryReuse::MemoryReuse() {
    const std::scoped_lock lock(kept().mutex);
    if (kept().users++ == 0) kept().most = heldNow();
}

MemoryReuse::~MemoryReuse() {
    const std::scoped_lock lock(kept().mutex);
    if (--kept().users == 0) kept().giveBlocks(~std::uint64_t(0));
}

bool MemoryReuse::isOn() {
    return kept().users > 0;
}

void MemoryReuse::makeRoom(std::uint64_t bytes) {
    if (!isOn()) return;
    const std::scoped_lock lock(kept().mutex);
    kept().makeRoom(bytes);
}

void MemoryReuse::keepOnly(std::uint64_t bytes) {
    if (!isOn()) return;
    const std::scoped_lock lock(kept().mutex);
    kept().keepOnly(bytes);
}

void MemoryReuse::noteUse() {
    if (!isOn()) return;
    const std::scoped_lock lock(kept().mutex);
    kept().noteUse();
}

void MemoryReuse::lock() {
    kept().mutex.lock();
}

void MemoryReuse::unlock() {
    kept().mutex.unlock();
}

std::byte* takeBlock(std::size_t bytes) {
    if (MemoryReuse::isOn()) {
        const std::scoped_lock lock(kept().mutex);
        auto& blocks = kept().blocks;
        const auto found = blocks.lower_bound(std::max(bytes, fresh));
        if (bytes >= fresh && found != blocks.end() && found->first - bytes <= bytes / mostLarger) {
            const auto [length, block] = *found;
            if (length > bytes) kept().larger.emplace(block, length); // the end names what was asked for
            blocks.erase(found);
            kept().idleBlocks -= length;
            return block;
        }
        kept().makeRoom(bytes);
    }
    return allocate(bytes);
}

void endBlock(std::byte* block, std::size_t bytes) noexcept {
    if (bytes < fresh && !MemoryReuse::isOn()) {
        release(block, bytes);
        return;
    }
    const std::scoped_lock lock(kept().mutex);
    if (const auto found = kept().larger.find(block); found != kept().larger.end()) {
        bytes = found->second;
        kept().larger.erase(found);
    }
    if (kept().users > 0) {
        try {
            kept().noteUse();
            if (bytes >= fresh) {
                kept().blocks.emplace(bytes, block);
                kept().idleBlocks += bytes;
                return;
            }
        } catch (const std::bad_alloc&) { // then it goes back
        }
    }
    release(block, bytes);
}

} // namespace kernelarium::tensor
