// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/NcuProfile.h"

namespace kernelarium::profile {

/// One launch as Nsight Compute measured it.
struct NcuLaunch {
    std::string kernel;
    std::string device;
    std::string grid; ///< "(4096, 1, 1)"
    std::string block;
    std::vector<NcuMetric>
        metrics; ///< under their raw names, in the order of the columns; those without a number are left out

    [[nodiscard]] const NcuMetric* find(std::string_view name) const;
};

/// Nsight Compute's `--csv --page raw`: a row of names, a row of units, a row for each launch. What the profiled
/// program and Nsight Compute itself print around it ("==PROF== ...") is skipped. Errors: "bad_profile" (no such
/// table); "no_permission" (ERR_NVGPUCTRPERM: the driver keeps the counters for administrators), "no_device",
/// "nothing_profiled" where Nsight Compute says so.
Result<std::vector<NcuLaunch>> parseNcuCsv(std::string_view text);

} // namespace kernelarium::profile
