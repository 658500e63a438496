// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/CompilerHeap.h"

#include "gpu/compile/CompilerFiles.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::compile {

namespace {

constexpr std::size_t leastHeap = std::size_t(64) << 20; ///< smaller ranges are something else
constexpr int readWrite = PROT_READ | PROT_WRITE;

/// The ranges that were reserved: their pages are memory without a file.
class Reserved {
public:
    void add(void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        m_ranges.emplace_back(static_cast<std::byte*>(start), size);
    }
    [[nodiscard]] bool holds(const void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        const auto* first = static_cast<const std::byte*>(start);
        for (const auto& [base, length] : m_ranges)
            if (first >= base && size <= length && first - base <= std::ptrdiff_t(length - size)) return true;
        return false;
    }
    void remove(const void* start, std::size_t size) {
        const std::lock_guard lock(m_mutex);
        const auto* first = static_cast<const std::byte*>(start);
        std::erase_if(m_ranges, [&](const auto& range) {
            return first < range.first + range.second && range.first < first + size;
        });
    }

private:
    std::mutex m_mutex;
    std::vector<std::pair<std::byte*, std::size_t>> m_ranges;
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
    if (ours && fixed && file >= 0 && reserved().holds(at, size) && readInto(at, size, file, offset)) return at;
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

} // namespace

std::vector<process::Redirect> heapRedirects() {
    return {{"mmap", reinterpret_cast<void*>(&mapMemory)},
            {"mmap64", reinterpret_cast<void*>(&mapMemory)},
            {"munmap", reinterpret_cast<void*>(&unmapMemory)}};
}

} // namespace kernelarium::compile
