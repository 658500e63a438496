// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/MemoryReuse.h"
#include "gpu/emulator/memory/MemoryPages.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace kernelarium::service {

/// Memory that one verification hands on to the next: an audit's come one behind the other, and the system clears each
/// page that it gives. It keeps no more than it is allowed, a verification finds no more than what it needs itself, and
/// where none comes for a few seconds all goes back.
class KeptMemory {
public:
    /// `most`: bytes that stay between two verifications.
    explicit KeptMemory(std::uint64_t most)
        : m_most(most) {}
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

    /// Memory is used again while it lives (tensor::MemoryReuse).
    class Use {
    public:
        explicit Use(KeptMemory& kept)
            : m_kept(kept) {}
        ~Use() { m_kept.end(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        /// Those of the verifications before, where they suffice. One runner's at a time.
        [[nodiscard]] std::shared_ptr<emulator::MemoryPages> pages(std::uint64_t capacity) const {
            return m_kept.pagesFor(capacity);
        }

    private:
        KeptMemory& m_kept;
    };
    /// For a verification that holds about so many bytes.
    [[nodiscard]] Use begin(std::uint64_t expected);
    void release(); ///< all, before other work

private:
    void end();
    std::shared_ptr<emulator::MemoryPages> pagesFor(std::uint64_t capacity);
    void watch(const std::stop_token& stop);
    void drop();

    static constexpr std::chrono::seconds patience{3};

    std::uint64_t m_most;
    std::mutex m_mutex; ///< of all that follows
    std::condition_variable_any m_changed;
    std::optional<std::chrono::steady_clock::time_point> m_until; ///< empty: nothing is kept without use
    std::optional<tensor::MemoryReuse> m_reuse;
    std::shared_ptr<emulator::MemoryPages> m_pages;
    std::jthread m_watcher; ///< ends before all of these
};

} // namespace kernelarium::service
