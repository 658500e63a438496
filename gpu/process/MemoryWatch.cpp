// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/MemoryWatch.h"

#include "gpu/process/Descriptor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/syscall.h>
#include <utility>

namespace kernelarium::process {

namespace {

/// What a process fills in this time goes past the limit: some 50 MB a thread.
constexpr std::chrono::milliseconds betweenLooks{10};

/// A program that is just being started has our own memory, and seems to hold it a second time.
constexpr int looksTogether = 5;

/// The number that begins at `at`, which is moved past it.
std::uint64_t numberAt(const char*& at) {
    while (*at == ' ')
        ++at;
    std::uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        value = value * 10 + std::uint64_t(*at - '0');
    return value;
}

/// From /proc/PID/statm (proc(5)): size, resident, shared, all in pages; resident less shared is what no file stands
/// for.
std::uint64_t heldBy(int statm) {
    std::array<char, 128> text{};
    if (::pread(statm, text.data(), text.size() - 1, 0) <= 0) return 0;
    const char* at = text.data();
    numberAt(at);
    const std::uint64_t resident = numberAt(at);
    const std::uint64_t shared = numberAt(at);
    return (resident - std::min(shared, resident)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

std::uint64_t heldByFamily(std::uint64_t pid);

/// Of all processes that a thread has started and not yet waited for, and of theirs.
std::uint64_t heldByChildren(int children) {
    std::array<char, 1024> text{};
    if (children < 0 || ::pread(children, text.data(), text.size() - 1, 0) <= 0) return 0;
    std::uint64_t bytes = 0;
    for (const char* at = text.data(); const std::uint64_t pid = numberAt(at);)
        bytes += heldByFamily(pid);
    return bytes;
}

std::uint64_t heldByFamily(std::uint64_t pid) {
    const std::string process = fmt::format("/proc/{}", pid);
    const Descriptor statm(::open((process + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
    std::uint64_t bytes = statm.isOpen() ? heldBy(statm.number()) : 0;
    std::error_code gone;
    for (std::filesystem::directory_iterator thread(process + "/task", gone), end; !gone && thread != end;
         thread.increment(gone)) {
        const Descriptor children(::open((thread->path() / "children").c_str(), O_RDONLY | O_CLOEXEC));
        bytes += heldByChildren(children.number());
    }
    return bytes;
}

Descriptor childrenOf(pid_t thread) {
    return Descriptor(::open(fmt::format("/proc/self/task/{}/children", thread).c_str(), O_RDONLY | O_CLOEXEC));
}

std::optional<std::uint64_t> limitOfGroup(const std::filesystem::path& folder) {
    std::ifstream file(folder / "memory.max");
    std::uint64_t bytes = 0;
    if (file >> bytes) return bytes;
    return std::nullopt; // "max", or no such file
}

} // namespace

std::uint64_t machineMemory() {
    std::uint64_t bytes = std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
    const std::filesystem::path root = "/sys/fs/cgroup";
    std::filesystem::path own = root;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        if (line.starts_with("0::/")) own = root / line.substr(4);
    for (;; own = own.parent_path()) {
        if (const auto limit = limitOfGroup(own)) bytes = std::min(bytes, *limit);
        if (own == root || !own.has_relative_path()) return bytes;
    }
}

std::uint64_t heldMemory() {
    const Descriptor statm(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
    return statm.isOpen() ? heldBy(statm.number()) : 0;
}

MemoryWatch::MemoryWatch(std::uint64_t limit, std::function<void()> exceeded)
    : m_limit(limit)
    , m_starter(pid_t(::syscall(SYS_gettid)))
    , m_before(heldByChildren(childrenOf(m_starter).number()))
    , m_exceeded(std::move(exceeded))
    , m_thread([this](const std::stop_token& stop) { look(stop); }) {}

MemoryWatch::~MemoryWatch() = default;

void MemoryWatch::setLimit(std::uint64_t limit) {
    const std::lock_guard lock(m_mutex);
    m_limit = limit;
}

void MemoryWatch::look(const std::stop_token& stop) {
    const Descriptor statm(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
    const Descriptor children = childrenOf(m_starter);
    std::condition_variable_any changed;
    int together = 0;
    std::unique_lock lock(m_mutex);
    while (!changed.wait_for(lock, stop, betweenLooks, [&] { return stop.stop_requested(); })) {
        const std::uint64_t own = heldBy(statm.number());
        const std::uint64_t more = std::max(heldByChildren(children.number()), m_before) - m_before;
        together = own + more > m_limit ? together + 1 : 0;
        if (own <= m_limit && together < looksTogether) continue;
        lock.unlock();
        m_exceeded();
        return;
    }
}

} // namespace kernelarium::process
