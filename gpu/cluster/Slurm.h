// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Engine.h"

namespace kernelarium::cluster {

/// Slurm, through sbatch, squeue and scancel: sacct needs a database that many clusters lack. These programs, and with
/// them the tasks, get the part of our environment that kernels are compiled and run with (a list of names:
/// process::neededEnvironment) and the variables by which they find their controller; nothing else of it.
class Slurm : public Engine {
public:
    [[nodiscard]] std::string_view name() const override { return "slurm"; }
    [[nodiscard]] ScriptWords words() const override;
    [[nodiscard]] std::string gpuOption(const std::vector<std::string>& options) const override;
    [[nodiscard]] std::string processorsOption(unsigned count) const override;
    [[nodiscard]] Result<void> check(const std::vector<std::string>& options) const override;
    [[nodiscard]] Result<std::string> submit(const Submission& submission, const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<std::string>> find(const std::string& name, const std::stop_token& stop) override;
    [[nodiscard]] Result<std::vector<TaskSeen>> look(const std::string& job, const std::stop_token& stop) override;
    [[nodiscard]] Result<void> cancel(const std::string& job, const std::stop_token& stop) override;
};

} // namespace kernelarium::cluster
