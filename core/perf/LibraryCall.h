// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::perf {

/// An operator that host code left to a library (ATen, cuBLAS), with what it costs at least: its operands read once,
/// its results written once.
struct LibraryCall {
    std::string name; ///< "aten.conv2d.default", "cublasSgemm_v2"
    double flops = 0;
    double bytes = 0;
    std::uint32_t launchesBefore = 0; ///< of the run's own kernels
};

[[nodiscard]] nlohmann::json toJson(const LibraryCall& call);
/// Error "bad_input".
Result<LibraryCall> libraryCallFromJson(const nlohmann::json& json);

} // namespace kernelarium::perf
