// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/AlignedBytes.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace kernelarium::emulator {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t mapped = 1 << 20; ///< from so many bytes on they are mapped, else of the heap
constexpr std::align_val_t line{64};

} // namespace

void AlignedBytes::Free::operator()(std::byte* p) const {
    if (bytes >= mapped)
        munmap(p, bytes);
    else
        ::operator delete(p, line);
}

void AlignedBytes::grow(std::size_t bytes) {
    const std::size_t old = size();
    const std::size_t rounded = (std::max(bytes, old * 2) + page - 1) / page * page;
    if (old >= mapped) {
        void* p = mremap(data(), old, rounded, MREMAP_MAYMOVE); // what is added is zero
        if (p == MAP_FAILED) throw std::bad_alloc();
        (void)m_data.release();
        m_data = {static_cast<std::byte*>(p), Free{rounded}};
        return;
    }
    std::byte* fresh = nullptr;
    if (rounded >= mapped) {
        void* p = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // is zero
        if (p == MAP_FAILED) throw std::bad_alloc();
        madvise(p, rounded, MADV_NOHUGEPAGE); // else one byte may take 2 MB
        fresh = static_cast<std::byte*>(p);
    } else {
        fresh = static_cast<std::byte*>(::operator new(rounded, line));
        std::memset(fresh + old, 0, rounded - old);
    }
    if (old) std::memcpy(fresh, data(), old);
    m_data = {fresh, Free{rounded}};
}

} // namespace kernelarium::emulator
