// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/CompilerHeap.h"

#include "gpu/compile/CompilerFiles.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::compile {

namespace {

constexpr std::size_t leastHeap = std::size_t(64) << 20; ///< smaller ranges are something else
constexpr std::size_t mostReady = std::size_t(96) << 20; ///< bytes of a range that are held ready
constexpr int readWrite = PROT_READ | PROT_WRITE;

/// A range that was reserved: its pages are memory without a file.
struct Range {
    std::byte* start;
    std::size_t size;
    std::size_t used = 0; ///< bytes from its start that files were read into, in all runs
};

class Reserved {
public:
    void add(void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        m_ranges.push_back({static_cast<std::byte*>(start), size});
    }
    [[nodiscard]] bool holds(const void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        return find(start, size) != nullptr;
    }
    void use(const void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        if (Range* range = find(start, size))
            range->used =
                std::max(range->used, std::size_t(static_cast<const std::byte*>(start) - range->start) + size);
    }
    void remove(const void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        const auto* first = static_cast<const std::byte*>(start);
        std::erase_if(m_ranges, [&](const Range& range) {
            return first < range.start + range.size && range.start < first + size;
        });
    }
    [[nodiscard]] std::vector<Range> all() {
        const std::lock_guard lock(m_mutex);
        return m_ranges;
    }

private:
    Range* find(const void* start, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(start);
        for (Range& range : m_ranges)
            if (first >= range.start && size <= range.size && first - range.start <= std::ptrdiff_t(range.size - size))
                return &range;
        return nullptr;
    }

    std::mutex m_mutex;
    std::vector<Range> m_ranges;
};

Reserved& reserved() {
    static Reserved all;
    return all;
}

/// What a private mapping of the file would show: zeros behind the file's end.
bool readInto(void* to, std::size_t size, int file, off_t offset) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::pread(file, static_cast<std::byte*>(to) + done, size - done, offset + off_t(done));
        if (got < 0) return false;
        if (got == 0) break;
        done += std::size_t(got);
    }
    std::memset(static_cast<std::byte*>(to) + done, 0, size - done);
    return true;
}

void* mapMemory(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
    const bool ours = WithinReach::isThread() && protection == readWrite;
    const bool fixed = flags == (MAP_PRIVATE | MAP_FIXED);
    if (ours && fixed && file >= 0 && reserved().holds(at, size) && readInto(at, size, file, offset)) {
        reserved().use(at, size);
        return at;
    }
    if ((flags & MAP_FIXED) != 0) {
        const bool emptied = ours && flags == (MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED) && reserved().holds(at, size);
        if (!emptied) reserved().remove(at, size);
        void* mapped = ::mmap(at, size, protection, flags, file, offset);
        if (emptied && mapped != MAP_FAILED) ::madvise(mapped, size, MADV_HUGEPAGE);
        return mapped;
    }
    void* mapped = ::mmap(at, size, protection, flags, file, offset);
    if (ours && mapped != MAP_FAILED && flags == (MAP_PRIVATE | MAP_ANONYMOUS) && size >= leastHeap) {
        ::madvise(mapped, size, MADV_HUGEPAGE); // refused where there are none: ordinary pages then
        reserved().add(mapped, size);
    }
    return mapped;
}

int unmapMemory(void* at, std::size_t size) {
    reserved().remove(at, size);
    return ::munmap(at, size);
}

/// Of the ranges, the pages that the next run will read files into: empty ones, as they are, but there already.
void populate(const std::vector<Range>& ranges) {
#ifdef MADV_POPULATE_WRITE
    for (const Range& range : ranges)
        ::madvise(range.start, std::min(range.used, mostReady), MADV_POPULATE_WRITE); // a wish: older systems refuse
#endif
}

} // namespace

void readyHeaps() {
    static std::jthread filler;
    // What it needs to know is told to it: whoever copies the process meanwhile may find no lock taken by it.
    filler = std::jthread([ranges = reserved().all()] { populate(ranges); });
}

std::vector<process::Redirect> heapRedirects() {
    return {{"mmap", reinterpret_cast<void*>(&mapMemory)},
            {"mmap64", reinterpret_cast<void*>(&mapMemory)},
            {"munmap", reinterpret_cast<void*>(&unmapMemory)}};
}

} // namespace kernelarium::compile
