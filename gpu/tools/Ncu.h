// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/profile/NcuSource.h"
#include "gpu/protocol/ToolMessages.h"

#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tools {

/// Nsight Compute's command line: $CUDA_PATH's and $CUDA_HOME's, /usr/local/cuda*, /opt/nvidia/nsight-compute (the
/// newest version first), then PATH. `root` stands before these paths: "" but in tests.
[[nodiscard]] protocol::NcuTool findNcu(const std::string& root = {});

/// Runs the kernel once on the GPU under Nsight Compute, at the clocks as they are (--clock-control none), and reads
/// the figures of its first 40 launches under their raw names: those that are asked for, else those of the archive and
/// those that the emulator counts. Metrics that this version of Nsight Compute does not know are left out. Errors:
/// "missing_component" (no Nsight Compute; the detail lists the folders searched), "timeout", "cancelled", "too_large",
/// "run_failed" (the kernel did not run: its own words), and those of profile::parseNcuCsv.
Result<std::vector<profile::NcuLaunch>>
measureWithNcu(const protocol::NcuTool& tool, const protocol::NcuRequest& request, const std::stop_token& stop = {});

/// Of the text that was sampled, as the compiler calls it.
inline constexpr const char* sampledFile = "kernel.cu";
/// The same run with Nsight Compute sampling where warps are and what they wait for: by line of the source, its file
/// named as the compiler was told ("kernel.cu"). Errors: likewise, and those of profile::parseNcuSource.
Result<std::vector<profile::SourceStalls>>
sampleStalls(const protocol::NcuTool& tool, const protocol::NcuRequest& request, const std::stop_token& stop = {});

} // namespace kernelarium::tools
