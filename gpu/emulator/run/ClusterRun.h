// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/run/BlockRunner.h"

namespace kernelarium::emulator {

/// The shape of the clusters of a launch: what the launch asks for, else what the kernel says, else single blocks.
[[nodiscard]] Dim3 clusterShape(const FunctionCode& kernel, const LaunchConfig& config);
/// CUDA's own words where the launch's clusters cannot be; else empty. Up to 8 blocks are portable, up to 16 possible.
[[nodiscard]] std::string clusterRefusal(const FunctionCode& kernel, const LaunchConfig& config);

/// A resident cluster: its blocks take turns on one worker.
class ClusterRun {
public:
    /// Prepares it for the cluster at this place of the order.
    void start(BlockRunner& runner, Worker& worker, std::uint64_t place);
    /// Gives each block a turn. `yielded`: come back, after a look at the clock.
    BlockRunner::Outcome run(BlockRunner& runner);
    [[nodiscard]] const std::vector<std::unique_ptr<Block>>& blocks() const { return m_blocks; }

private:
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<bool> m_finished;
    BlockOrder m_order{1, false}; ///< in which they take turns
    std::shared_ptr<Cluster> m_cluster;
};

} // namespace kernelarium::emulator
