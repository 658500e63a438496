// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Engine.h"
#include "gpu/cluster/Work.h"

namespace kernelarium::cluster {

/// What is known by name: engines, and kinds of work.

/// "slurm". Error "bad_usage".
[[nodiscard]] Result<std::unique_ptr<Engine>> makeEngine(std::string_view name);

/// Whether the programs of an engine can be found on PATH; they are not called. "slurm": sbatch, squeue and scancel.
[[nodiscard]] bool isInstalled(std::string_view engine);

/// Of an array's plan. Error "newer_store": a kind that is not known here.
[[nodiscard]] Result<std::unique_ptr<Work>> makeWork(const Plan& plan, const std::filesystem::path& folder);

} // namespace kernelarium::cluster
