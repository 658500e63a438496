// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceModule.h"

#include <memory>
#include <string>

namespace kernelarium::device {

/// Two kernels of ours that stand around those that are raced. Launched on the default stream.
class RaceKernels {
public:
    static Result<std::unique_ptr<RaceKernels>> load(std::shared_ptr<DeviceContext> context);

    /// Adds the number of 32-bit words, and of bytes behind the last whole one, that differ to the word at `counter`.
    /// Both pieces begin at multiples of 4.
    Result<void> countDifferent(std::uint64_t one, std::uint64_t other, std::uint64_t bytes, std::uint64_t counter);
    /// Leaves the word at `from` in nearly all registers and in all the shared memory that a block may have without
    /// asking, of every multiprocessor: code that reads a register too early finds it there, not what its own last
    /// launch left.
    Result<void> scrub(std::uint64_t from);

    static constexpr int scrubbedRegisters = 240; ///< of the 255 that a thread has, in a block of 256

private:
    explicit RaceKernels(std::shared_ptr<DeviceContext> context)
        : m_context(std::move(context)) {}
    std::shared_ptr<DeviceContext> m_context;
    std::unique_ptr<DeviceModule> m_module;
};

/// Their PTX, for whoever wants to know that it assembles.
[[nodiscard]] const std::string& raceKernelsPtx();

} // namespace kernelarium::device
