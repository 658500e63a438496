// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/SharedCores.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::threads {

namespace {

using Count = std::atomic<std::int32_t>;
static_assert(Count::is_always_lock_free, "it lies in memory of several processes");

/// A process and what it has taken now.
struct Holder {
    Count process = 0; ///< 0: the place is free
    Count held = 0;
};

struct Shared {
    Count idle = 0;
    std::int32_t own = 1;
    std::int32_t over = 0;
    std::array<Holder, 1024> holders; ///< whoever comes later dies with what it holds
};

/// Whose processors this process takes; null: it may use them all.
std::atomic<Shared*> taken = nullptr;
std::atomic<Holder*> ownPlace = nullptr; ///< null: none

Holder* placeIn(Shared& shared) {
    for (Holder& holder : shared.holders) {
        std::int32_t nobody = 0;
        if (holder.process.compare_exchange_strong(nobody, std::int32_t(::getpid()))) return &holder;
    }
    return nullptr;
}

void note(std::int32_t cores) {
    if (Holder* place = ownPlace) place->held += cores;
}

using Clock = std::chrono::steady_clock;
/// When this process's long work began; the clock's end: there is none.
std::atomic<Clock::time_point> began = Clock::time_point::max();

/// What there is for who wants helpers now, with so many idle.
std::int32_t available(const Shared& shared, std::int32_t idle) {
    std::int32_t most = std::max(idle, shared.own - 1);
    const Clock::time_point start = began, now = Clock::now();
    if (shared.over == 0 || start >= now) return most;
    const auto more = std::int32_t(std::min<std::int64_t>((now - start) / LongWork::untilOneMore, shared.over));
    return std::max(most, std::min(more, idle + shared.over));
}

/// Null where that is no memory of the size.
void* mapShared(int descriptor) {
    if (::lseek(descriptor, 0, SEEK_END) != off_t(sizeof(Shared))) return nullptr;
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

Shared& sharedIn(void* memory) {
    return *static_cast<Shared*>(memory);
}

} // namespace

std::shared_ptr<SharedCores> SharedCores::make(unsigned idle, unsigned own, unsigned over) {
    const int descriptor = ::memfd_create("idle cores", MFD_CLOEXEC);
    if (descriptor < 0) return nullptr;
    void* memory = ::ftruncate(descriptor, sizeof(Shared)) == 0 ? mapShared(descriptor) : nullptr;
    if (!memory) {
        ::close(descriptor);
        return nullptr;
    }
    sharedIn(memory).idle = std::int32_t(idle);
    sharedIn(memory).own = std::int32_t(std::max(own, 1U));
    sharedIn(memory).over = std::int32_t(over);
    return std::shared_ptr<SharedCores>(new SharedCores(descriptor, memory));
}

SharedCores::~SharedCores() {
    ::munmap(m_memory, sizeof(Shared));
    ::close(m_descriptor);
}

std::string SharedCores::path() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_descriptor);
}

void SharedCores::add(int cores) const {
    sharedIn(m_memory).idle += cores;
}

int SharedCores::idle() const {
    return sharedIn(m_memory).idle;
}

void SharedCores::takeBack() const {
    Shared& shared = sharedIn(m_memory);
    for (Holder& holder : shared.holders) {
        std::int32_t process = holder.process;
        if (process <= 0 || ::kill(process, 0) == 0 || errno != ESRCH) continue; // -1: another one looks
        // Of several that look at a time one gives back.
        if (!holder.process.compare_exchange_strong(process, -1)) continue;
        shared.idle += holder.held.exchange(0);
        holder.process = 0;
    }
}

bool useSharedCores(const std::string& path) {
    static Shared nothing;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    void* memory = descriptor < 0 ? nullptr : mapShared(descriptor);
    if (descriptor >= 0) ::close(descriptor);
    ownPlace = memory ? placeIn(sharedIn(memory)) : nullptr;
    taken = memory ? &sharedIn(memory) : &nothing; // for good
    return memory != nullptr;
}

LongWork::LongWork(Clock::time_point start) {
    began = start;
}

LongWork::~LongWork() {
    began = Clock::time_point::max();
}

Helpers::Helpers(std::size_t wanted)
    : m_count(wanted) {
    Shared* shared = taken;
    if (!shared || wanted == 0) return;
    std::int32_t there = shared->idle;
    do
        m_count = std::min(wanted, std::size_t(std::max(available(*shared, there), 0)));
    while (m_count > 0 && !shared->idle.compare_exchange_weak(there, there - std::int32_t(m_count)));
    note(std::int32_t(m_count));
}

Helpers::~Helpers() {
    Shared* shared = taken;
    if (!shared || m_count == 0) return;
    note(-std::int32_t(m_count));
    shared->idle += std::int32_t(m_count);
}

} // namespace kernelarium::threads
