// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/Launch.h"

#include "gpu/emulator/BlockRunner.h"

#include <deque>
#include <fmt/format.h>
#include <thread>

namespace kernelarium::emulator {

namespace {

/// Blocks that one worker keeps begun when they wait for others. Cooperative launches keep them all.
constexpr std::size_t residentBlocks = 64;

/// CUDA's own words for what it refuses; empty when the launch is in order.
std::string refusal(const Code& code, const LaunchConfig& c, const DeviceLimits& limits) {
    const FunctionCode& kernel = code.bodies[c.function];
    const std::uint64_t threads = std::uint64_t(c.block[0]) * c.block[1] * c.block[2];
    const char* configuration = "invalid configuration argument";
    if (threads == 0 || threads > limits.maxThreadsPerBlock) return configuration;
    for (std::size_t d = 0; d < 3; ++d) {
        if (c.block[d] > limits.maxBlock[d]) return configuration;
        if (c.grid[d] == 0 || c.grid[d] > limits.maxGrid[d]) return configuration;
    }
    const std::uint64_t shared = std::uint64_t(kernel.staticShared) + c.dynamicSharedBytes;
    if (c.sharedOptInBytes > limits.maxSharedBytesOptIn) return "invalid argument";
    const std::uint64_t dynamicLimit = std::max<std::uint64_t>(limits.maxStaticSharedBytes, c.sharedOptInBytes + std::uint64_t(kernel.staticShared));
    if (shared > dynamicLimit || shared > limits.maxSharedBytesOptIn) return "invalid argument";
    if (kernel.maxThreads && threads > kernel.maxThreads) return "invalid argument";
    // Registers are given to warps in units of 256 (compute capability 5.0 and later).
    const std::uint64_t perWarp = (std::uint64_t(c.registersPerThread) * 32 + 255) / 256 * 256;
    const std::uint64_t warps = (threads + 31) / 32;
    if (perWarp * warps > limits.registersPerBlock) return "too many resources requested for launch";
    return {};
}

class WorkerThread {
public:
    WorkerThread(LaunchState& launch, std::uint64_t blocks)
        : m_launch(launch)
        , m_blocks(blocks) {
        const Code& code = *launch.code;
        m_worker.launch = &launch;
        m_worker.memory = code.memory->data();
        m_worker.states = code.memory->states();
        m_worker.memoryLimit = code.memory->limit();
        m_worker.checks = launch.checks;
        m_worker.parameters = launch.config->parameters.data();
        m_worker.parameterBytes = std::uint32_t(launch.config->parameters.size());
        m_worker.blockRuns.assign(code.blocks.size(), 0);
        m_worker.blockLanes.assign(code.blocks.size(), 0);
    }

    void run() {
        BlockRunner runner(m_worker, m_launch.code->bodies[m_launch.config->function], m_launch.config->function);
        const std::size_t most = m_launch.config->cooperative ? m_blocks : residentBlocks;
        while (m_launch.end.load(std::memory_order_relaxed) < 0) {
            std::unique_ptr<Block> block = next(runner, most);
            if (!block) return;
            const auto outcome = runner.run(*block);
            if (outcome == BlockRunner::Outcome::stopped) return;
            if (outcome == BlockRunner::Outcome::finished) {
                ++m_launch.blocksDone;
                m_free.push_back(std::move(block));
            } else {
                m_waiting.push_back(std::move(block));
            }
            if (++m_turns % 16 == 0 || outcome == BlockRunner::Outcome::yielded) lookAround();
        }
    }

    const Worker& worker() const { return m_worker; }

private:
    std::unique_ptr<Block> next(BlockRunner& runner, std::size_t most) {
        // A new block first: a waiting one may need it.
        if (m_waiting.size() < most) {
            const std::uint64_t index = m_launch.nextBlock.fetch_add(1);
            if (index < m_blocks) {
                std::unique_ptr<Block> block = m_free.empty() ? std::make_unique<Block>() : std::move(m_free.back());
                if (!m_free.empty()) m_free.pop_back();
                runner.start(*block, index);
                return block;
            }
        }
        if (m_waiting.empty()) return nullptr;
        std::unique_ptr<Block> block = std::move(m_waiting.front());
        m_waiting.pop_front();
        return block;
    }

    void lookAround() {
        if (m_launch.options->stop.stop_requested()) m_launch.finish(LaunchEnd::cancelled, "cancelled");
        else if (std::chrono::steady_clock::now() > m_launch.options->deadline)
            m_launch.finish(LaunchEnd::timeout, "the time limit was reached");
    }

    LaunchState& m_launch;
    std::uint64_t m_blocks;
    Worker m_worker;
    std::deque<std::unique_ptr<Block>> m_waiting;
    std::vector<std::unique_ptr<Block>> m_free;
    std::uint64_t m_turns = 0;
};

} // namespace

LaunchResult launch(const Program& program, const LaunchConfig& config, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    LaunchResult result;
    const Code& code = program.code();
    if (config.function >= code.bodies.size() || !code.bodies[config.function].entry || !code.functions[config.function].isKernel) {
        result.end = LaunchEnd::refused;
        result.reason = "invalid device function";
        return result;
    }
    if (std::string why = refusal(code, config, options.limits); !why.empty()) {
        result.end = LaunchEnd::refused;
        result.reason = std::move(why);
        return result;
    }
    FaultLog faults(options.faultsPerKind);
    LaunchState state;
    state.code = &code;
    state.config = &config;
    state.options = &options;
    state.faults = &faults;
    state.checks = options.checks;
    const std::uint64_t blocks = std::uint64_t(config.grid[0]) * config.grid[1] * config.grid[2];
    const auto jobs = unsigned(std::clamp<std::uint64_t>(blocks, 1, std::max(1u, options.jobs)));
    std::vector<std::unique_ptr<WorkerThread>> workers;
    for (unsigned k = 0; k < jobs; ++k) workers.push_back(std::make_unique<WorkerThread>(state, blocks));
    std::vector<std::thread> threads;
    for (unsigned k = 1; k < jobs; ++k) threads.emplace_back([&, k] { workers[k]->run(); });
    workers[0]->run();
    for (std::thread& t : threads) t.join();

    if (const int end = state.end.load(); end >= 0) {
        result.end = LaunchEnd(end);
        result.reason = state.reason;
    }
    result.faults = faults.take();
    for (const auto& w : workers)
        for (std::size_t b = 0; b < code.blocks.size(); ++b) {
            result.counters.warpInstructions += w->worker().blockRuns[b] * code.blocks[b].instructions;
            result.counters.threadInstructions += w->worker().blockLanes[b] * code.blocks[b].instructions;
        }
    result.counters.blocks = state.blocksDone;
    result.counters.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

} // namespace kernelarium::emulator
