// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/MemoryWatch.h"
#include "gpu/protocol/Messages.h"
#include "gpu/service/EventWriter.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace kernelarium::service {

/// The answer to a request that needs more memory than its child may take: error "out_of_memory".
[[nodiscard]] Error beyondBound(std::uint64_t bound);

/// What the child may hold while it works on a request. Where it comes to hold more, or aborts for lack of memory, the
/// request is answered with beyondBound() as the last thing that the child says, and the process ends. One at a time.
class MemoryBound {
public:
    /// `bound` in bytes; 0: there is none. `answer` is completed here.
    MemoryBound(std::uint64_t bound, protocol::Event answer, EventWriter& writer);
    ~MemoryBound();
    MemoryBound(const MemoryBound&) = delete;
    MemoryBound& operator=(const MemoryBound&) = delete;

    /// So much more than the bound is all right: what the task's own tensors take, say.
    void allowBeside(std::uint64_t bytes);

private:
    void setWords(std::uint64_t bound);

    std::uint64_t m_bound;
    protocol::Event m_answer;
    EventWriter& m_writer;
    std::mutex m_mutex;
    std::deque<std::string> m_words; ///< the last is what will be said; made before there is no memory left
    std::optional<process::MemoryWatch> m_watch;
};

} // namespace kernelarium::service
