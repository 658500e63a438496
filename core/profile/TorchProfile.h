// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::profile {

/// One operator, call or kernel of PyTorch's profiler. Times in microseconds; self: without what it calls.
struct TorchEntry {
    std::string name;
    std::optional<double> cpuTotal;
    std::optional<double> cpuSelf;
    std::optional<double> deviceTotal;
    std::optional<double> deviceSelf;
    std::optional<std::int64_t> calls;
    std::optional<double> deviceBytes; ///< allocated; negative: freed
};

/// What PyTorch's profiler said of a kernel, as the archive keeps it.
struct TorchProfile {
    std::vector<TorchEntry> entries; ///< most time on the device first, then most on the CPU
};

/// A cell of column Torch_Profile: a dict from names to dicts, or a list of dicts that have a name. The
/// numbers are found by what PyTorch's profiler calls them, `device_...` and the older `cuda_...` alike.
/// Error "bad_profile".
Result<TorchProfile> parseTorchProfile(std::string_view cell);

} // namespace kernelarium::profile
