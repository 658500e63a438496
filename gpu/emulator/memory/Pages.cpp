// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/Pages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t smallPage = 4096, largePage = 2u << 20;
/// Below this many bytes setting them is as good, and the process has only so many mappings.
constexpr std::uint64_t leastOfFile = 64u << 10;

/// A memory file full of one value; negative where the system gives none.
int makeFile(std::uint8_t value) {
    const int file = memfd_create("states", MFD_CLOEXEC);
    if (file < 0) return file;
    if (ftruncate(file, largePage) == 0) {
        void* p = mmap(nullptr, largePage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (p != MAP_FAILED) {
            std::memset(p, value, largePage);
            munmap(p, largePage);
            return file;
        }
    }
    close(file);
    return -1;
}

/// Of this process, made when first asked for and kept: there are few values.
int fileOf(std::uint8_t value) {
    static std::mutex mutex;
    static std::array<int, 256> files{}; // 0: not yet made
    const std::scoped_lock lock(mutex);
    if (files[value] == 0) files[value] = makeFile(value);
    return files[value];
}

} // namespace

/// What is about to be written whole comes in large pages, where there are any: most of a first write's time are
/// faults.
void askForLargePages(void* memory, std::uint64_t bytes) {
    if (bytes < 2 * largePage) return;
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = roundUp(start, largePage), last = (start + bytes) & ~(largePage - 1);
    if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void growInLargePages(std::byte* memory, std::uint64_t from, std::uint64_t end) {
    constexpr std::uint64_t many = 8 * largePage;
    if (end < many || end / largePage == from / largePage) return;
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = roundUp(start + from, largePage), last = roundUp(start + end, largePage);
    if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void dropPages(std::byte* memory, std::uint64_t bytes) {
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = roundUp(start, smallPage), last = (start + bytes) & ~(smallPage - 1);
    if (first >= last || mmap(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        std::memset(memory, 0, bytes);
        return;
    }
    std::memset(memory, 0, first - start);
    std::memset(reinterpret_cast<void*>(last), 0, start + bytes - last);
}

void fillStates(std::uint8_t* states, std::uint64_t bytes, std::uint8_t value) {
    const auto start = reinterpret_cast<std::uintptr_t>(states);
    std::uintptr_t first = (start + smallPage - 1) & ~(smallPage - 1);
    const std::uintptr_t last = (start + bytes) & ~(smallPage - 1);
    const int file = bytes >= leastOfFile ? fileOf(value) : -1;
    if (file < 0) {
        std::memset(states, value, bytes);
        return;
    }
    std::memset(states, value, first - start);
    while (first < last) {
        const std::uint64_t length = std::min<std::uint64_t>(largePage, last - first);
        if (mmap(reinterpret_cast<void*>(first), length, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED)
            break; // no more mappings: what is there takes the value
        first += length;
    }
    std::memset(reinterpret_cast<void*>(first), value, start + bytes - first);
}

} // namespace kernelarium::emulator
