// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MeasuredCeilings.h"
#include "gpu/compile/Toolkit.h"
#include "gpu/device/timing/TimingQueue.h"

#include <functional>
#include <span>
#include <string_view>

namespace kernelarium::device {

/// How one ceiling is probed: a kernel of resources/ceilings in a launch that fills the device.
struct CeilingProbe {
    std::string_view key;  ///< of perf::Ceiling
    std::string_view file; ///< CeilingModule::file
    std::string_view kernel;
    std::string_view method; ///< which instructions do the work
    enum class Work { bytesOnce, bytesAgain, operations } work = Work::operations;
    std::uint32_t blocksPerMultiprocessor = 8;
    std::uint32_t threads = 256;
    /// Operations (or bytes) of one thread in one iteration; of `bytesOnce` and `bytesAgain`, bytes moved for each of
    /// the buffer's.
    double each = 0;
    std::uint32_t seed = 0;
    float factor = 0, term = 0;
};

/// All of them; a key may be probed in two ways, of which the faster one counts.
[[nodiscard]] std::span<const CeilingProbe> ceilingProbes();

/// Finds the ceilings of a GPU: each probe for about a tenth of a second, the best of its launches. What this device
/// does not have is left out and said. Errors: those of compileCeilings and TimingQueue.
Result<perf::MeasuredCeilings> measureCeilings(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                               const compile::Toolkit& toolkit, const TimingQueue::Limits& limits,
                                               const std::function<void(const std::string& stage)>& progress);

} // namespace kernelarium::device
