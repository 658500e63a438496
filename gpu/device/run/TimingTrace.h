// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/BackendAround.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kernelarium::device {

/// One thing that host code had the device do.
struct TimedAction {
    enum class Kind { launch, fill, pattern, copy, upload, read, library };
    Kind kind = Kind::launch;
    host::KernelLaunch launch; ///< of `launch`
    std::uint64_t address = 0; ///< what is written, of all others; of `read`, what is read
    std::uint64_t bytes = 0;
    std::uint64_t from = 0;                ///< of `copy`
    std::uint8_t value = 0;                ///< of `fill`
    std::vector<std::byte> data;           ///< of `upload` and `read`; of `pattern`, what is repeated
    std::string label{};                   ///< of `library`: the operator and what computes it
    std::function<Result<void>()> again{}; ///< of `library`: queues the same once more
};

/// Everything that one forward had the device do, in order, with the addresses and parameters that it used: what
/// another forward with the same inputs in the same places would have it do again. Allocations are not part of it:
/// PyTorch's caching allocator takes next to no time, and ours fills fresh memory with poison besides.
struct TimedTrace {
    std::vector<TimedAction> actions;
    std::size_t launches = 0;
    /// Bytes that host code read from the device: what it then did may have depended on them.
    std::uint64_t readBack = 0;
    /// Reads of more are not noted among the actions: host code is likely to compute with so much.
    static constexpr std::uint64_t mostReadBack = 4096;
    /// Writes before forward began, in order: where its arguments were put.
    struct Place {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<Place> before;
    /// What forward allocated: outputs, and what it keeps between its steps.
    std::vector<Place> allocated;
    /// Whether some of that went back to whoever allocates next, so that another one's data may lie there now.
    bool gaveBack = false;
};

/// Passes everything on to a backend and notes down what forward asks of it.
class TracingBackend final : public host::BackendAround {
public:
    using BackendAround::BackendAround;

    enum class Phase { before, forward, after };
    void enter(Phase phase) { m_phase = phase; }
    [[nodiscard]] const TimedTrace& trace() const { return m_trace; }
    /// What a library operator had the device do, past this backend.
    void note(TimedAction action) {
        if (m_phase == Phase::forward) m_trace.actions.push_back(std::move(action));
    }

    host::KernelReport launch(const host::KernelLaunch& launch) override;
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override;
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;

private:
    [[nodiscard]] bool notes(std::uint64_t bytes) const { return m_phase == Phase::forward && bytes > 0; }

    Phase m_phase = Phase::before;
    mutable TimedTrace m_trace;
};

} // namespace kernelarium::device
