// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace kernelarium::threads {

/// How many processors are idle, in memory that several processes see: those of an audit, whose children judge one
/// kernel each. At its end, and beside a kernel that takes long, there are processors that nobody has work for; whoever
/// is busy takes these for a while. What a process that dies had taken, takeBack() gives to the others.
class SharedCores {
public:
    /// `own`: processors of each process that takes some, its calling thread's among them, which it may use whether or
    /// not any is idle. `over`: what LongWork may take besides when none is, of all processes together: the others'
    /// threads then go on a little slower, and nobody waits for that work at the end. Null where the system gives no
    /// such memory.
    static std::shared_ptr<SharedCores> make(unsigned idle, unsigned own = 1, unsigned over = 0);
    ~SharedCores();
    SharedCores(const SharedCores&) = delete;
    SharedCores& operator=(const SharedCores&) = delete;

    /// What useSharedCores() of another process of this user takes, for as long as this lives.
    [[nodiscard]] std::string path() const;
    void add(int cores) const; ///< idle ones; fewer than none is a debt, which is paid first
    [[nodiscard]] int idle() const;
    /// Looks whether processes that took some have ended and are waited for: what they held is idle again.
    void takeBack() const;

private:
    SharedCores(int descriptor, void* memory)
        : m_descriptor(descriptor)
        , m_memory(memory) {}
    int m_descriptor;
    void* m_memory;
};

/// From now on this process's Helpers are of these processors, until it ends. False where the path is of no such thing:
/// then there are none but the calling thread's own.
bool useSharedCores(const std::string& path);

/// Work of this process that others may come to wait for, while it lives: each of its Helpers gets one processor more
/// for each few seconds since it began, of those that go over. One at a time.
class LongWork {
public:
    static constexpr std::chrono::seconds untilOneMore{4};
    explicit LongWork(std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now());
    ~LongWork();
    LongWork(const LongWork&) = delete;
    LongWork& operator=(const LongWork&) = delete;
};

/// Processors besides the calling thread's own for a piece of work, until it is done: as many as are wanted, or those
/// that are idle of them where they are shared out, and its share at least.
class Helpers {
public:
    explicit Helpers(std::size_t wanted);
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    [[nodiscard]] std::size_t count() const { return m_count; }

private:
    std::size_t m_count;
};

} // namespace kernelarium::threads
