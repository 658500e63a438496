// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace kernelarium::tensor {

/// Memory that somebody has done with and keeps for the next use, since the system clears every page that it gives:
/// a third of the time of what works on gigabytes. Known to MemoryReuse for as long as it lives.
class IdleMemory {
public:
    IdleMemory();
    virtual ~IdleMemory();
    IdleMemory(const IdleMemory&) = delete;
    IdleMemory& operator=(const IdleMemory&) = delete;

    // Called under MemoryReuse's lock, from any thread.

    /// Bytes that are idle now.
    [[nodiscard]] virtual std::uint64_t idle() const = 0;
    /// Gives about so many of them back to the system, and says how many; 0 where nothing is left.
    virtual std::uint64_t giveBack(std::uint64_t bytes) = 0;

protected:
    void leave(); ///< nothing of it is called from now on: the first that a destructor does
};

/// While one lives, large pieces of memory are kept when they are done with, those of tensors and what others keep as
/// IdleMemory. A process holds no more for it: what is idle goes back as soon as the process would hold more than what
/// was in use at some time since the first of these was made. Without one nothing is kept. From any thread.
class MemoryReuse {
public:
    MemoryReuse();
    ~MemoryReuse(); ///< the last one gives back what tensors left
    MemoryReuse(const MemoryReuse&) = delete;
    MemoryReuse& operator=(const MemoryReuse&) = delete;

    [[nodiscard]] static bool isOn();
    /// For who is about to fill so many bytes of fresh memory.
    static void makeRoom(std::uint64_t bytes);
    /// Of what is idle, no more than so many bytes stay; and what is held then, the process may hold again.
    static void keepOnly(std::uint64_t bytes);
    /// For who is about to let memory idle that was all in use until now.
    static void noteUse();
    /// Calls f where no giveBack() is under way.
    template <class F> static void apart(F f) {
        lock();
        f();
        unlock();
    }

private:
    static void lock();
    static void unlock();
};

/// Bytes for a large tensor, and their end. Aligned to 64 bytes and, from 4 MB on, to large pages, which the system is
/// asked for. Throws std::bad_alloc.
[[nodiscard]] std::byte* takeBlock(std::size_t bytes);
void endBlock(std::byte* block, std::size_t bytes) noexcept; ///< as it was taken

} // namespace kernelarium::tensor
