// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Memory.h"
#include "gpu/host/backend/PinnedRanges.h"
#include "gpu/host/backend/StreamOrder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::host {

/// What comes from the device into host memory, and whether host code has waited for it. A copy to page-locked memory
/// is a piece of work on its stream and ends some time later; one to pageable memory has ended when its call returns
/// (CUDA Runtime API, "API synchronization behavior").
///
/// Copies are made here when they are asked for. With keepBack(), page-locked memory has what it had before until host
/// code has waited for the stream or an event after the copy.
class HostCopies {
public:
    using Stream = StreamOrder::Stream;

    /// Both outlive it.
    HostCopies(Memory& host, const StreamOrder& order)
        : m_host(host)
        , m_order(order) {}

    PinnedRanges pinned; ///< what of host memory is page-locked

    /// `poison` is what fresh memory holds.
    void keepBack(std::uint32_t poison) { m_late = true, m_poison = poison; }

    /// What is in host memory now, to be given to arrived(); empty unless copies are kept back.
    [[nodiscard]] std::vector<std::byte> contents(std::uint64_t address, std::uint64_t bytes) const;
    [[nodiscard]] std::vector<std::byte> fresh(std::uint64_t bytes) const; ///< as if nobody had written there
    /// The last piece of work of the stream is a copy to page-locked memory, which has been made; `before` is what was
    /// there.
    void arrived(Stream stream, std::uint64_t address, std::uint64_t bytes, std::vector<std::byte> before);

    /// Hands over what host code knows to be done.
    void settle();
    /// Hands over what comes before the next piece of work on the stream, which may read it.
    void settleAhead(Stream stream);
    /// Hands everything over: the call is over, or memory is given back.
    void settleAll();

    /// Copies to page-locked memory that did not end with their call.
    [[nodiscard]] std::size_t asynchronous() const { return m_asynchronous; }

    void noteRead(std::uint64_t bytes) { m_bytesRead += bytes; }
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }
    /// The counts begin again.
    void forgetCounts() { m_asynchronous = 0, m_bytesRead = 0; }

private:
    struct Pending {
        Stream stream = 0;
        std::size_t item = 0;
        std::uint64_t address = 0;
        std::vector<std::byte> bytes; ///< what the copy brings; empty unless copies are kept back
    };
    void handOver(const Pending& copy);
    template <class Done> void handOverWhere(Done done);

    Memory& m_host;
    const StreamOrder& m_order;
    bool m_late = false;
    std::uint32_t m_poison = 0;
    std::vector<Pending> m_pending; ///< in the order of their calls
    std::size_t m_asynchronous = 0;
    std::uint64_t m_bytesRead = 0;
};

} // namespace kernelarium::host
