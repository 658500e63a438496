// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/SharedCores.h"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::threads {

namespace {

using Count = std::atomic<std::int32_t>;
static_assert(Count::is_always_lock_free, "it lies in memory of several processes");

/// Whose processors this process takes; null: it may use them all.
std::atomic<Count*> taken = nullptr;

/// Null where that is no memory of the size.
void* mapCount(int descriptor) {
    if (::lseek(descriptor, 0, SEEK_END) != off_t(sizeof(Count))) return nullptr;
    void* memory = ::mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

Count& countIn(void* memory) {
    return *static_cast<Count*>(memory);
}

} // namespace

std::shared_ptr<SharedCores> SharedCores::make(unsigned idle) {
    const int descriptor = ::memfd_create("idle cores", MFD_CLOEXEC);
    if (descriptor < 0) return nullptr;
    void* memory = ::ftruncate(descriptor, sizeof(Count)) == 0 ? mapCount(descriptor) : nullptr;
    if (!memory) {
        ::close(descriptor);
        return nullptr;
    }
    countIn(memory) = std::int32_t(idle);
    return std::shared_ptr<SharedCores>(new SharedCores(descriptor, memory));
}

SharedCores::~SharedCores() {
    ::munmap(m_memory, sizeof(Count));
    ::close(m_descriptor);
}

std::string SharedCores::path() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_descriptor);
}

void SharedCores::add(int cores) const {
    countIn(m_memory) += cores;
}

int SharedCores::idle() const {
    return countIn(m_memory);
}

bool useSharedCores(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return false;
    void* memory = mapCount(descriptor);
    ::close(descriptor);
    if (!memory) return false;
    taken = &countIn(memory); // for good
    return true;
}

Helpers::Helpers(std::size_t wanted)
    : m_count(wanted) {
    Count* idle = taken;
    if (!idle || wanted == 0) return;
    std::int32_t there = *idle;
    do
        m_count = std::min(wanted, std::size_t(std::max(there, 0)));
    while (m_count > 0 && !idle->compare_exchange_weak(there, there - std::int32_t(m_count)));
}

Helpers::~Helpers() {
    if (Count* idle = taken; idle && m_count > 0) *idle += std::int32_t(m_count);
}

} // namespace kernelarium::threads
