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

void ClusterRun::start(BlockRunner& runner, Worker& worker, std::uint64_t place) {
    const Dim3& shape = worker.launch->cluster;
    const std::uint32_t count = shape[0] * shape[1] * shape[2];
    const Dim3 first = worker.launch->blockAt(place * count);
    m_cluster = std::make_shared<Cluster>();
    m_cluster->shape = shape;
    for (std::size_t d = 0; d < 3; ++d)
        m_cluster->index[d] = first[d] / shape[d];
    const RunOptions& options = *worker.launch->options;
    m_order = BlockOrder::scheduled(count, options.schedule & verify::warpsOnly ? 0 : options.schedule);
    while (m_blocks.size() < count)
        m_blocks.push_back(std::make_unique<Block>());
    for (const auto& b : m_blocks)
        m_cluster->blocks.push_back(b.get());
    for (std::uint32_t rank = 0; rank < count; ++rank)
        runner.start(*m_blocks[rank], place * count + rank, m_cluster, rank);
    m_cluster->arrivedAt.assign(std::size_t(count) * m_blocks[0]->threads, 0);
    m_finished.assign(count, false);
}

BlockRunner::Outcome ClusterRun::run(BlockRunner& runner) {
    using Outcome = BlockRunner::Outcome;
    bool waits = true, left = false;
    for (std::size_t turn = 0; turn < m_blocks.size(); ++turn) {
        const auto k = std::size_t(m_order.at(turn));
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
