// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace kernelarium::process {

/// Bytes of memory that there are for programs here: the machine's, or what the control group of this process (cgroup
/// v2), or one above it, may have.
[[nodiscard]] std::uint64_t machineMemory();

/// Bytes of its own that this process holds in memory: neither files nor what is merely reserved. Allocates nothing.
[[nodiscard]] std::uint64_t heldMemory();

/// Sees to it that this process, with what the processes that the thread which made this has started hold beyond what
/// they held then, takes no more memory than it may. What is held is what counts: the emulator reserves far more
/// addresses than it ever fills, which a limit of the system's (RLIMIT_AS, RLIMIT_DATA) would count, and such a limit
/// says nothing to whom it hits. Looks every few milliseconds, in a thread of its own.
class MemoryWatch {
public:
    /// `exceeded` is called once, in that thread, when more is held than the limit.
    MemoryWatch(std::uint64_t limit, std::function<void()> exceeded);
    ~MemoryWatch();
    MemoryWatch(const MemoryWatch&) = delete;
    MemoryWatch& operator=(const MemoryWatch&) = delete;

    void setLimit(std::uint64_t limit);

private:
    void look(const std::stop_token& stop);

    std::mutex m_mutex;
    std::uint64_t m_limit;
    pid_t m_starter;        ///< the thread whose children count
    std::uint64_t m_before; ///< what those held that wait for work since earlier
    std::function<void()> m_exceeded;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace kernelarium::process
