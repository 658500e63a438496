// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/Launch.h"

#include "core/threads/FanOut.h"
#include "core/threads/SharedCores.h"
#include "gpu/emulator/checks/LeftOut.h"
#include "gpu/emulator/checks/RaceReport.h"
#include "gpu/emulator/checks/SyncTable.h"
#include "gpu/emulator/counters/CounterSummary.h"
#include "gpu/emulator/run/BlockRunner.h"
#include "gpu/emulator/run/ClusterRun.h"
#include "gpu/emulator/run/DeviceLaunches.h"
#include "gpu/emulator/warp/BlockOrder.h"

#include <deque>
#include <fmt/format.h>
#include <optional>

namespace kernelarium::emulator {

namespace {

/// Blocks that one worker keeps begun when they wait for others. Cooperative launches keep them all.
constexpr std::size_t residentBlocks = 64;
/// Turns of warps between two looks at the clock and the cancel button.
constexpr std::uint64_t warpsBetweenLooks = 16;

/// CUDA's own words for what it refuses; empty when the launch is in order.
std::string refusal(const Code& code, const LaunchConfig& c, const DeviceLimits& limits) {
    const FunctionCode& kernel = code.bodies[c.function];
    const std::uint64_t threads = std::uint64_t(c.block[0]) * c.block[1] * c.block[2];
    const char* configuration = "invalid configuration argument";
    constexpr std::uint32_t mostLocalBytes = 512u << 10; // of a thread, every compute capability
    if (threads == 0 || threads > limits.multiprocessor.threadsPerBlock) return configuration;
    for (std::size_t d = 0; d < 3; ++d) {
        if (c.block[d] > limits.maxBlock[d]) return configuration;
        if (c.grid[d] == 0 || c.grid[d] > limits.maxGrid[d]) return configuration;
    }
    const std::uint64_t shared = std::uint64_t(kernel.staticShared) + c.dynamicSharedBytes;
    if (c.sharedOptInBytes > limits.multiprocessor.sharedBytesPerBlock) return "invalid argument";
    const std::uint64_t dynamicLimit =
        std::max<std::uint64_t>(limits.maxStaticSharedBytes, c.sharedOptInBytes + std::uint64_t(kernel.staticShared));
    if (shared > dynamicLimit || shared > limits.multiprocessor.sharedBytesPerBlock) return "invalid argument";
    if (kernel.maxThreads && threads > kernel.maxThreads) return "invalid argument";
    if (std::string why = clusterRefusal(kernel, c); !why.empty()) return why;
    if (code.functions[c.function].localBytes > mostLocalBytes) return "out of memory";
    const std::uint64_t perWarp = limits.multiprocessor.registersOfWarp(c.registersPerThread);
    const std::uint64_t warps = (threads + 31) / 32;
    if (perWarp * warps > limits.multiprocessor.registersPerBlock) return "too many resources requested for launch";
    return {};
}

std::uint64_t blockSchedule(const RunOptions& options) {
    return options.schedule & verify::warpsOnly ? 0 : options.schedule;
}

std::uint64_t clustersOf(const LaunchState& launch) {
    const Dim3 &grid = launch.config->grid, &shape = launch.cluster;
    return std::uint64_t(grid[0] / shape[0]) * (grid[1] / shape[1]) * (grid[2] / shape[2]);
}

class WorkerThread {
public:
    WorkerThread(LaunchState& launch, const Pipeline* pipeline)
        : m_launch(launch) {
        const Code& code = *launch.code;
        m_worker.launch = &launch;
        m_worker.memory = launch.memory->data();
        m_worker.states = launch.memory->states();
        if (launch.options->sample.follow) m_worker.written |= DeviceMemory::stateFresh;
        m_worker.memoryLimit = launch.memory->limit();
        m_worker.checks = launch.checks;
        m_worker.contraryLanes = launch.options->contraryLanes;
        m_worker.parameters = launch.config->parameters.data();
        m_worker.parameterBytes = std::uint32_t(launch.config->parameters.size());
        m_worker.blockRuns.assign(code.blocks.size(), 0);
        m_worker.blockLanes.assign(code.blocks.size(), 0);
        m_worker.raceMarks = launch.races;
        if (!launch.touched) return;
        m_tally =
            std::make_unique<Tally>(code, *pipeline, launch.config->function, launch.options->count, *launch.touched);
        m_worker.tally = m_tally.get();
    }

    /// Runs blocks up to this place in the order, or clusters.
    void run(std::uint64_t places) {
        m_places = places;
        if (m_launch.cluster != Dim3{1, 1, 1}) return runClusters();
        BlockRunner runner(m_worker, m_launch.code->bodies[m_launch.config->function], m_launch.config->function);
        const std::size_t most = m_launch.config->cooperative ? places : residentBlocks;
        while (m_launch.end.load(std::memory_order_relaxed) < 0) {
            std::unique_ptr<Block> block = next(runner, most);
            if (!block) break;
            const auto outcome = runner.run(*block);
            m_warpsRun += block->warps.size();
            if (outcome == BlockRunner::Outcome::stopped) break;
            if (outcome == BlockRunner::Outcome::finished) {
                if (block->clocks.ranOut()) m_launch.clocksRanOut = true;
                ++m_launch.blocksDone;
                m_free.push_back(std::move(block));
            } else {
                m_waiting.push_back(std::move(block));
            }
            if (m_warpsRun >= warpsBetweenLooks || outcome == BlockRunner::Outcome::yielded) lookAround();
        }
        flushRaceCounts(m_worker);
    }

    [[nodiscard]] const Worker& worker() const { return m_worker; }
    [[nodiscard]] const Tally* tally() const { return m_tally.get(); }

private:
    std::unique_ptr<Block> next(BlockRunner& runner, std::size_t most) {
        // A new block first: a waiting one may need it.
        if (m_waiting.size() < most) {
            const std::uint64_t place = m_launch.nextBlock.fetch_add(1);
            if (place < m_places) {
                std::unique_ptr<Block> block = m_free.empty() ? std::make_unique<Block>() : std::move(m_free.back());
                if (!m_free.empty()) m_free.pop_back();
                runner.start(*block, place);
                return block;
            }
        }
        if (m_waiting.empty()) return nullptr;
        std::unique_ptr<Block> block = std::move(m_waiting.front());
        m_waiting.pop_front();
        return block;
    }

    void runClusters() {
        BlockRunner runner(m_worker, m_launch.code->bodies[m_launch.config->function], m_launch.config->function);
        std::deque<std::unique_ptr<ClusterRun>> waiting;
        std::vector<std::unique_ptr<ClusterRun>> free;
        const std::size_t most = m_launch.config->cooperative ? m_places : residentBlocks;
        while (m_launch.end.load(std::memory_order_relaxed) < 0) {
            std::unique_ptr<ClusterRun> run;
            const std::uint64_t place = waiting.size() < most ? m_launch.nextBlock.fetch_add(1) : m_places;
            if (place < m_places) {
                run = free.empty() ? std::make_unique<ClusterRun>() : std::move(free.back());
                if (!free.empty()) free.pop_back();
                run->start(runner, m_worker, place);
            } else if (waiting.empty()) {
                break;
            } else {
                run = std::move(waiting.front());
                waiting.pop_front();
            }
            const auto outcome = run->run(runner);
            if (outcome == BlockRunner::Outcome::stopped) break;
            if (outcome == BlockRunner::Outcome::finished) {
                for (const auto& b : run->blocks())
                    if (b->clocks.ranOut()) m_launch.clocksRanOut = true;
                m_launch.blocksDone += run->blocks().size();
                free.push_back(std::move(run));
            } else {
                waiting.push_back(std::move(run));
            }
            lookAround();
        }
        flushRaceCounts(m_worker);
    }

    void lookAround() {
        m_warpsRun = 0;
        if (m_launch.options->stop.stop_requested())
            m_launch.finish(LaunchEnd::cancelled, "cancelled");
        else if (std::chrono::steady_clock::now() > m_launch.options->deadline)
            m_launch.finish(LaunchEnd::timeout, "the time limit was reached");
    }

    LaunchState& m_launch;
    std::uint64_t m_places = 0;
    std::unique_ptr<Tally> m_tally;
    Worker m_worker;
    std::deque<std::unique_ptr<Block>> m_waiting;
    std::vector<std::unique_ptr<Block>> m_free;
    std::uint64_t m_warpsRun = 0; ///< since the last look
};

/// The launch's threads and how far through the order of its blocks they go.
class Crew {
public:
    /// `pipeline` where something is counted.
    Crew(LaunchState& state, unsigned jobs, const Pipeline* pipeline)
        : m_state(state) {
        for (unsigned k = 0; k < jobs; ++k)
            m_workers.push_back(std::make_unique<WorkerThread>(state, pipeline));
    }

    void run(std::uint64_t places) {
        const Dim3& cluster = m_state.cluster;
        m_state.nextBlock = m_state.blocksDone.load() / (std::uint64_t(cluster[0]) * cluster[1] * cluster[2]);
        threads::together(m_workers.size(), [&](std::size_t k) {
            try {
                m_workers[k]->run(places);
            } catch (...) { // the others' blocks may wait for this one's
                m_state.finish(LaunchEnd::cancelled, "cancelled");
                throw;
            }
        });
    }

    [[nodiscard]] Counters counters() const {
        const Code& code = *m_state.code;
        Counters sum;
        for (const auto& w : m_workers)
            for (std::size_t b = 0; b < code.blocks.size(); ++b) {
                sum.warpInstructions += w->worker().blockRuns[b] * code.blocks[b].instructions;
                sum.threadInstructions += w->worker().blockLanes[b] * code.blocks[b].instructions;
            }
        sum.blocks = m_state.blocksDone;
        return sum;
    }

    [[nodiscard]] bool lanesTookTurns() const {
        return std::any_of(m_workers.begin(), m_workers.end(),
                           [](const auto& w) { return w->worker().lanesTookTurns; });
    }

    [[nodiscard]] bool looseOrder() const {
        return std::any_of(m_workers.begin(), m_workers.end(), [](const auto& w) { return w->worker().looseOrder; });
    }

    [[nodiscard]] std::vector<const Tally*> tallies() const {
        std::vector<const Tally*> all;
        for (const auto& w : m_workers)
            all.push_back(w->tally());
        return all;
    }

private:
    LaunchState& m_state;
    std::vector<std::unique_ptr<WorkerThread>> m_workers;
};

/// How many blocks a sampled launch runs in all, by what its first ones cost.
std::uint64_t sampledBlocks(const SampleOptions& sample, const Counters& soFar, std::uint64_t blocks) {
    std::uint64_t most = std::min(blocks, sample.mostBlocks);
    if (sample.instructionBudget && soFar.blocks && soFar.warpInstructions) {
        const double each = double(soFar.warpInstructions) / double(soFar.blocks);
        most = std::min(most, std::uint64_t(double(sample.instructionBudget) / each));
    }
    return std::max(most, soFar.blocks);
}

/// The two words that grid groups synchronise through, as the driver provides them to a cooperative launch.
class GridBarrier {
public:
    GridBarrier(DeviceMemory& memory, bool wanted)
        : m_memory(memory) {
        constexpr std::uint32_t bytes = 8; // its size, and the counter
        constexpr std::uint32_t words[2] = {bytes, 0};
        if (!wanted) return;
        const auto address = memory.allocate(bytes, "grid barrier", {});
        if (address && memory.write(*address, std::as_bytes(std::span(words)))) m_address = *address;
    }
    ~GridBarrier() {
        if (m_address) (void)m_memory.release(m_address, 0);
    }
    GridBarrier(const GridBarrier&) = delete;
    GridBarrier& operator=(const GridBarrier&) = delete;
    [[nodiscard]] std::uint64_t address() const { return m_address; }

private:
    DeviceMemory& m_memory;
    std::uint64_t m_address = 0;
};

void prepareRaces(LaunchState& state, SyncTable& syncs, std::uint64_t blocks, LaunchResult& result) {
    DeviceMemory& memory = *state.memory;
    state.syncs = &syncs;
    state.races = memory.races().begin(memory.limit(), blocks, state.firstRaceBlock);
    if (!state.races.writers) {
        result.remarks.push_back("Races were not checked: there is no memory left to record them.");
        return;
    }
    if (memory.limit() > state.races.limit + 3)
        result.remarks.push_back(
            fmt::format("Races were checked in the first {} MiB of device memory only.", state.races.limit >> 20));
    if (state.firstRaceBlock + blocks > race::blockLimit)
        result.remarks.push_back(fmt::format("Races were checked in the first {} blocks of a grid only.",
                                             race::blockLimit - state.firstRaceBlock));
}

} // namespace

LaunchResult launch(const Program& program, const LaunchConfig& config, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    LaunchResult result;
    const Code& code = program.code();
    DeviceMemory& memory = program.memory();
    if (config.function >= code.bodies.size() || !code.bodies[config.function].entry ||
        !code.functions[config.function].isKernel) {
        result.end = LaunchEnd::refused;
        result.reason = "invalid device function";
        return result;
    }
    if (std::string why = refusal(code, config, options.limits); !why.empty()) {
        result.end = LaunchEnd::refused;
        result.reason = std::move(why);
        return result;
    }
    // Workers look after some blocks; of launches that are over before that there may be any number.
    if (options.stop.stop_requested() || begin > options.deadline) {
        result.end = options.stop.stop_requested() ? LaunchEnd::cancelled : LaunchEnd::timeout;
        result.reason = options.stop.stop_requested() ? "cancelled" : "the time limit was reached";
        return result;
    }
    FaultLog faults(options.faultsPerKind);
    std::optional<TouchMap> touched;
    std::optional<Pipeline> pipeline;
    if (options.count.enabled) {
        touched.emplace(memory.limit());
        pipeline.emplace(code, program.parsed());
    }
    LaunchState state;
    state.code = &code;
    state.memory = &memory;
    state.config = &config;
    state.options = &options;
    state.touched = touched ? &*touched : nullptr;
    state.faults = &faults;
    state.checks = options.checks;
    state.cluster = clusterShape(code.bodies[config.function], config);
    const bool clustered = state.cluster != Dim3{1, 1, 1};
    const GridBarrier gridBarrier(memory, config.cooperative);
    state.gridBarrier = gridBarrier.address();
    DeviceLaunches launches(code, memory, config.function);
    state.launches = &launches;
    const std::uint64_t blocks = std::uint64_t(config.grid[0]) * config.grid[1] * config.grid[2];
    // A grid whose blocks wait for one another cannot be sampled, nor one whose blocks launch others.
    const bool samples = options.sample.leastBlocks > 0 && options.sample.leastBlocks < blocks && !config.cooperative &&
                         !launches.possible() && !clustered;
    const BlockOrder order =
        samples ? BlockOrder(blocks, true) : BlockOrder::scheduled(clustersOf(state), blockSchedule(options));
    SyncTable syncs;
    state.order = &order;
    if (options.checks && options.races) prepareRaces(state, syncs, blocks, result);
    const threads::Helpers helpers(std::clamp<std::uint64_t>(blocks, 1, std::max(1u, options.jobs)) - 1);
    Crew crew(state, unsigned(1 + helpers.count()), pipeline ? &*pipeline : nullptr);
    crew.run(samples ? options.sample.leastBlocks : clustersOf(state));
    if (samples && state.end.load() < 0) crew.run(sampledBlocks(options.sample, crew.counters(), blocks));

    if (const int end = state.end.load(); end >= 0) {
        result.end = LaunchEnd(end);
        result.reason = state.reason;
    }
    if (state.clocksRanOut)
        result.remarks.push_back(
            fmt::format("Races were checked up to the {}th barrier of a block only.", race::clockLimit - 1));
    result.faults = faults.take();
    result.launched = launches.take();
    result.counters = crew.counters();
    result.lanesTookTurns = crew.lanesTookTurns();
    result.looseOrder = crew.looseOrder();
    if (options.sample.follow) settleStates(memory, result.counters.blocks < blocks);
    result.counters.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (touched) {
        perf::LaunchCounters counted =
            summarise(code, *pipeline, memory, config, crew.tallies(), *touched, result.counters.blocks);
        counted.seconds = result.counters.seconds;
        result.counted = std::make_shared<perf::LaunchCounters>(std::move(counted));
    }
    return result;
}

} // namespace kernelarium::emulator
