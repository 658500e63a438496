// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/ClusterRun.h"

namespace kernelarium::emulator {

namespace {
constexpr std::uint64_t mostPortable = 8, mostBlocks = 16;
} // namespace

Dim3 clusterShape(const FunctionCode& kernel, const LaunchConfig& config) {
    if (config.cluster[0]) return config.cluster;
    return kernel.cluster[0] ? kernel.cluster : Dim3{1, 1, 1};
}

std::string clusterRefusal(const FunctionCode& kernel, const LaunchConfig& config) {
    const Dim3 shape = clusterShape(kernel, config);
    const std::uint64_t blocks = std::uint64_t(shape[0]) * shape[1] * shape[2];
    const bool differs = config.cluster[0] && kernel.cluster[0] && config.cluster != kernel.cluster;
    const std::uint64_t most = config.nonPortableCluster ? mostBlocks : mostPortable;
    bool divides = blocks >= 1 && blocks <= most && !differs;
    for (std::size_t d = 0; divides && d < 3; ++d)
        divides = config.grid[d] % shape[d] == 0;
    return divides ? std::string() : "a kernel launch error has occurred due to cluster misconfiguration";
}

void ClusterRun::start(BlockRunner& runner, Worker& worker, std::uint64_t number) {
    const Dim3& grid = worker.launch->config->grid;
    const Dim3& shape = worker.launch->cluster;
    const Dim3 clusters{grid[0] / shape[0], grid[1] / shape[1], grid[2] / shape[2]};
    m_cluster = std::make_shared<Cluster>();
    m_cluster->shape = shape;
    m_cluster->index = {std::uint32_t(number % clusters[0]), std::uint32_t(number / clusters[0] % clusters[1]),
                        std::uint32_t(number / clusters[0] / clusters[1])};
    const std::uint32_t count = shape[0] * shape[1] * shape[2];
    while (m_blocks.size() < count)
        m_blocks.push_back(std::make_unique<Block>());
    for (const auto& b : m_blocks)
        m_cluster->blocks.push_back(b.get());
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        const Dim3 within{rank % shape[0], rank / shape[0] % shape[1], rank / shape[0] / shape[1]};
        std::uint64_t at[3];
        for (std::size_t d = 0; d < 3; ++d)
            at[d] = std::uint64_t(m_cluster->index[d]) * shape[d] + within[d];
        const std::uint64_t linear = at[0] + grid[0] * (at[1] + grid[1] * at[2]);
        runner.start(*m_blocks[rank], linear, linear, m_cluster, rank);
    }
    m_cluster->arrivedAt.assign(std::size_t(count) * m_blocks[0]->threads, 0);
    m_finished.assign(count, false);
}

BlockRunner::Outcome ClusterRun::run(BlockRunner& runner) {
    using Outcome = BlockRunner::Outcome;
    bool waits = true, left = false;
    for (std::size_t k = 0; k < m_blocks.size(); ++k) {
        if (m_finished[k]) continue;
        const Outcome outcome = runner.run(*m_blocks[k]);
        if (outcome == Outcome::stopped) return outcome;
        m_finished[k] = outcome == Outcome::finished;
        left |= !m_finished[k];
        waits &= outcome == Outcome::waiting;
    }
    if (!left) return Outcome::finished;
    // The first may wait no more for what a later one has done since: resolving looks at that first.
    return waits && !runner.resolve(*m_cluster) ? Outcome::stopped : Outcome::yielded;
}

} // namespace kernelarium::emulator
