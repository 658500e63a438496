// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <mutex>
#include <optional>
#include <vector>

namespace kernelarium::emulator {

/// Grids that a kernel's threads launch (dynamic parallelism as of CUDA 12: nobody on the device can wait for one).
/// They are executed when the launching grid has ended, in the order of the launching blocks; those of the tail launch
/// stream last.
class DeviceLaunches {
public:
    /// How many may be pending: the default of cudaLimitDevRuntimePendingLaunchCount.
    static constexpr std::uint32_t mostPending = 2048;
    static constexpr std::uint64_t tailStream = 3; ///< cudaStreamTailLaunch

    /// Takes memory for parameters where the kernel can launch anything.
    DeviceLaunches(const Code& code, DeviceMemory& memory, std::uint32_t kernel);
    ~DeviceLaunches();
    DeviceLaunches(const DeviceLaunches&) = delete;
    DeviceLaunches& operator=(const DeviceLaunches&) = delete;

    [[nodiscard]] bool possible() const { return m_buffers != 0; }

    /// Where the parameters of the next launch go; 0 where `kernel` is not a kernel's address or too many are pending.
    /// Thread-safe, as launch() is.
    [[nodiscard]] std::uint64_t prepare(std::uint64_t kernel, const Dim3& grid, const Dim3& block,
                                        std::uint32_t sharedBytes, std::uint64_t launchingBlock);
    /// Takes the parameters from the buffer that prepare() gave. False where it gave none such.
    bool launch(std::uint64_t buffer, std::uint64_t stream);

    /// What was launched, in order. After the grid's end.
    [[nodiscard]] std::vector<LaunchConfig> take();

private:
    struct Pending {
        LaunchConfig config;
        std::uint64_t launchingBlock = 0;
        std::uint64_t stream = 0;
        bool launched = false;
    };
    const Code& m_code;
    DeviceMemory& m_memory;
    std::uint64_t m_buffers = 0; ///< device address
    std::uint32_t m_step = 0;    ///< bytes of one buffer
    std::mutex m_mutex;
    std::vector<Pending> m_pending;
};

} // namespace kernelarium::emulator
