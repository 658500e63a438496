// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/BlockRunner.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/BulkCopies.h"
#include "gpu/emulator/async/ClusterBarrier.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/counters/Tally.h"
#include "gpu/emulator/record/Recorder.h"
#include "gpu/emulator/run/DeviceCalls.h"
#include "gpu/emulator/run/PhaseWaits.h"
#include "gpu/emulator/run/Splits.h"

#include <fmt/format.h>
#include <utility>

namespace kernelarium::emulator {

namespace {

/// Warp instructions between two looks at the clock, the cancel button and the neighbours.
constexpr std::int64_t sliceInstructions = 1 << 20;
/// Calls of printf and the like, of a warp's lanes together, between two looks.
constexpr std::uint64_t callsBetweenLooks = 64;
/// Rounds over the warps of a block between two looks.
constexpr std::uint32_t roundsBetweenLooks = 1 << 14;
/// The same for a warp whose lanes have parted: one of them may be waiting for another.
constexpr std::int64_t divergedSlice = 1 << 18;
/// Slices that a diverged path may use up before its siblings get their turn.
constexpr std::uint32_t patience = 2;
/// While counting, warps of a block take turns of so many instructions: the model's L1 then sees neighbours touch the
/// same data at about the same time, as on a GPU. A slice is made of many turns.
constexpr std::int64_t turnInstructions = 64;

std::uint64_t warpsOf(const LaunchConfig& c) {
    return (std::uint64_t(c.block[0]) * c.block[1] * c.block[2] + laneCount - 1) / laneCount;
}

void broadcast(Warp& w, special::Slot slot, std::uint32_t value) {
    std::uint32_t* lane = reinterpret_cast<std::uint32_t*>(w.specials.data() + slot * special::bytes);
    for (std::uint32_t i = 0; i < laneCount; ++i)
        lane[i] = value;
}

} // namespace

void interpret(Warp& w) {
    const Inst* ip = w.ip;
    w.pause = Pause::none;
    while (ip)
        ip = ip->fn(w, ip);
}

BlockRunner::BlockRunner(Worker& worker, const FunctionCode& kernel, std::uint32_t kernelIndex)
    : m_worker(worker)
    , m_kernel(kernel)
    , m_kernelIndex(kernelIndex)
    , m_sharedBytes(kernel.dynamicSharedOffset + worker.launch->config->dynamicSharedBytes)
    , m_warpOrder(BlockOrder::scheduled(warpsOf(*worker.launch->config),
                                        worker.launch->options->schedule & ~verify::warpsOnly)) {
    if (worker.launch->config->dynamicSharedBytes == 0) m_sharedBytes = kernel.staticShared;
}

void BlockRunner::start(Block& block, std::uint64_t place, std::shared_ptr<Cluster> cluster, std::uint32_t rank) {
    if (m_worker.tally) m_worker.tally->startBlock();
    const LaunchConfig& config = *m_worker.launch->config;
    const Dim3& grid = config.grid;
    block.index = m_worker.launch->blockAt(place);
    const std::uint64_t linear = block.index[0] + grid[0] * (block.index[1] + std::uint64_t(grid[1]) * block.index[2]);
    block.multiprocessor = std::uint32_t(linear % m_worker.launch->options->limits.multiprocessors);
    block.threads = config.block[0] * config.block[1] * config.block[2];
    block.finishedThreads = 0;
    block.barriers = {};
    block.barrierPopc = {};
    block.reads = nullptr;
    block.async.reset();
    block.cluster = std::move(cluster);
    block.rank = rank;
    block.unknownVotes = false;
    block.sharedBytes = m_sharedBytes;
    // 16 bytes more: vector accesses are checked against the limit, not against the store.
    block.sharedMemory.resize(m_sharedBytes + 16);
    block.shared = block.sharedMemory.data();
    block.sharedStates = nullptr;
    if (m_worker.checks) {
        block.sharedStateMemory.resize(m_sharedBytes + 16);
        block.sharedStates = reinterpret_cast<std::uint8_t*>(block.sharedStateMemory.data());
        std::memset(block.sharedStates, 0, m_sharedBytes);
    }
    const std::uint32_t poison = m_worker.launch->options->poison;
    for (std::uint32_t k = 0; k + 4 <= m_sharedBytes; k += 4)
        std::memcpy(block.shared + k, &poison, 4);
    const std::uint32_t warps = (block.threads + laneCount - 1) / laneCount;
    startRaces(block, place);
    while (block.warps.size() < warps) {
        block.warps.push_back(std::make_unique<Warp>());
        fillSpecials(block, *block.warps.back(), std::uint32_t(block.warps.size() - 1));
    }
    for (std::uint32_t k = 0; k < warps; ++k)
        startWarp(block, *block.warps[k], k);
    Recorder* recorder = m_worker.launch->options->recorder;
    block.recorder = recorder && recorder->wants(block.index) ? recorder : nullptr;
    block.witness = block.recorder;
    if (block.recorder) block.recorder->start(block, config);
}

void BlockRunner::fillSpecials(Block& block, Warp& w, std::uint32_t index) {
    const Code& code = *m_worker.launch->code;
    const LaunchConfig& config = *m_worker.launch->config;
    w.specials.resize(code.specialBytes);
    const auto lane32 = [&](special::Slot s) {
        return reinterpret_cast<std::uint32_t*>(w.specials.data() + s * special::bytes);
    };
    for (std::uint32_t i = 0; i < laneCount; ++i) {
        const std::uint32_t thread = index * laneCount + i;
        lane32(special::tidX)[i] = thread % config.block[0];
        lane32(special::tidY)[i] = thread / config.block[0] % config.block[1];
        lane32(special::tidZ)[i] = thread / config.block[0] / config.block[1];
        lane32(special::laneId)[i] = i;
        lane32(special::lanemaskEq)[i] = 1u << i;
        lane32(special::lanemaskLt)[i] = (1u << i) - 1;
        lane32(special::lanemaskLe)[i] = (2u << i) - 1;
        lane32(special::lanemaskGt)[i] = ~((2u << i) - 1);
        lane32(special::lanemaskGe)[i] = ~((1u << i) - 1);
    }
    for (int d = 0; d < 3; ++d) {
        broadcast(w, special::Slot(special::ntidX + d), config.block[std::size_t(d)]);
        broadcast(w, special::Slot(special::nctaidX + d), config.grid[std::size_t(d)]);
    }
    broadcast(w, special::warpId, index);
    broadcast(w, special::nwarpId, (block.threads + laneCount - 1) / laneCount);
    broadcast(w, special::nsmId, m_worker.launch->options->limits.multiprocessors);
    broadcast(w, special::dynamicShared, config.dynamicSharedBytes);
    broadcast(w, special::totalShared, m_sharedBytes);
    broadcast(w, special::gridBarrierLow, std::uint32_t(m_worker.launch->gridBarrier));
    broadcast(w, special::gridBarrierHigh, std::uint32_t(m_worker.launch->gridBarrier >> 32));
    for (std::size_t s = 0; s < m_kernel.sharedSlots.size(); ++s) {
        auto* lane =
            reinterpret_cast<std::uint64_t*>(w.specials.data() + special::count * special::bytes) + s * laneCount;
        for (std::uint32_t i = 0; i < laneCount; ++i)
            lane[i] = m_kernel.sharedSlots[s];
    }
}

void BlockRunner::fillClusterSpecials(const Block& block, Warp& w) {
    const Dim3& grid = m_worker.launch->config->grid;
    const Dim3 shape = block.cluster ? block.cluster->shape : Dim3{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) {
        broadcast(w, special::Slot(special::clusterCtaidX + d), block.index[d] % shape[d]);
        broadcast(w, special::Slot(special::clusterNctaidX + d), shape[d]);
        broadcast(w, special::Slot(special::clusterIdX + d), block.index[d] / shape[d]);
        broadcast(w, special::Slot(special::nclusterIdX + d), grid[d] / shape[d]);
    }
    broadcast(w, special::clusterRank, block.rank);
    broadcast(w, special::clusterSize, shape[0] * shape[1] * shape[2]);
}

void BlockRunner::startWarp(Block& block, Warp& w, std::uint32_t index) {
    const std::uint32_t first = index * laneCount;
    const std::uint32_t present = std::min(laneCount, block.threads - first);
    w.worker = &m_worker;
    w.block = &block;
    w.index = index;
    w.live = present == laneCount ? ~0u : (1u << present) - 1;
    w.base[1] = m_worker.launch->code->constantLanes.data();
    w.base[2] = w.specials.data();
    for (int d = 0; d < 3; ++d)
        broadcast(w, special::Slot(special::ctaidX + d), block.index[std::size_t(d)]);
    if (m_worker.launch->code->readsCluster) fillClusterSpecials(block, w);
    broadcast(w, special::smId, block.multiprocessor);
    w.localStride = (m_kernel.deepestLocal + 31) & ~15u;
    w.localMemory.resize(std::size_t(w.localStride) * laneCount + 64);
    w.local = w.localMemory.data();
    w.localStates = nullptr;
    if (m_worker.checks) {
        w.localStateMemory.resize(std::size_t(w.localStride) * laneCount + 64);
        w.localStates = reinterpret_cast<std::uint8_t*>(w.localStateMemory.data());
        // Registers that a kernel never set read as zero, whichever block ran here before.
        w.registers.resize(m_kernel.registerBytes);
        std::memset(w.registers.data(), 0, m_kernel.registerBytes);
    }
    w.raceKey = block.clocks.key(index);
    w.lanesApart = w.productsApart = false;
    w.asyncCopies = {};
    w.paths.clear();
    w.frames.clear();
    w.others.clear();
    w.reconverge = nullptr;
    w.active = w.live;
    w.carry = 0;
    w.unknown = 0;
    w.slices = 0;
    w.reserve = 0;
    w.spent = 0;
    w.state = Split::State::ready;
    w.pause = Pause::none;
    pushFrame(w, m_kernelIndex, w.live, nullptr);
    w.ip = m_kernel.entry;
}

BlockRunner::Outcome BlockRunner::run(Block& block) {
    // Warps that keep meeting at barriers never use up a slice: their rounds are counted instead.
    for (std::uint32_t round = 0; round < roundsBetweenLooks; ++round) {
        if (m_worker.launch->end.load(std::memory_order_relaxed) >= 0) return Outcome::stopped;
        bool ran = false, progressed = false;
        for (std::size_t place = 0; place < block.warps.size(); ++place) {
            Warp& w = *block.warps[m_warpOrder.at(place)];
            if (block.async) [[unlikely]]
                wakeWaiting(block);
            if (w.state != Split::State::ready && !loadReadySplit(w)) continue;
            ran = true;
            progressed |= runWarp(block, w);
            if (m_worker.launch->end.load(std::memory_order_relaxed) >= 0) return Outcome::stopped;
        }
        if (block.finishedThreads == block.threads) {
            if (block.async || block.cluster) endAsyncWork(block);
            if (block.recorder) m_worker.launch->finish(LaunchEnd::cancelled, "recorded");
            return Outcome::finished;
        }
        if (ran && !progressed && !(block.async && relieve(block, false))) return Outcome::yielded;
        if (ran) continue;
        if (block.cluster && block.cluster->blocks.size() > 1) {
            if (block.async && relieve(block, false)) continue;
            return Outcome::waiting;
        }
        if (!(block.async && relieve(block, true)) && !resolveDeadlock(block)) {
            reportDeadlock(block);
            m_worker.launch->finish(
                LaunchEnd::deadlock,
                fmt::format("deadlock: the threads of a block wait for one another {}", placeOfWaits(block)));
            return Outcome::stopped;
        }
    }
    return Outcome::yielded;
}

bool BlockRunner::resolve(Cluster& cluster) {
    for (Block* b : cluster.blocks)
        if (b->async && relieve(*b, false)) return true;
    bool any = false;
    for (Block* b : cluster.blocks)
        any |= b->finishedThreads < b->threads && b->async && relieve(*b, true);
    if (any) return true;
    for (Block* b : cluster.blocks)
        if (b->finishedThreads < b->threads && resolveDeadlock(*b)) return true;
    std::string_view place = "at barriers";
    for (Block* b : cluster.blocks)
        if (b->finishedThreads < b->threads) {
            reportDeadlock(*b);
            place = placeOfWaits(*b);
            break;
        }
    m_worker.launch->finish(LaunchEnd::deadlock,
                            fmt::format("deadlock: the threads of a cluster wait for one another {}", place));
    return false;
}

void BlockRunner::giveFuel(Warp& w) {
    const std::int64_t slice = w.paths.empty() && w.others.empty() ? sliceInstructions : divergedSlice;
    w.fuel = slice;
    if (!m_worker.tally) return;
    if (w.reserve <= 0) w.reserve = slice;
    w.fuel = turnInstructions;
    w.reserve -= turnInstructions;
}

bool BlockRunner::runWarp(Block& block, Warp& w) {
    giveFuel(w);
    while (true) {
        if (block.recorder && block.recorder->records(w))
            interpretRecording(w);
        else if (m_worker.tally)
            interpretCounting(w);
        else
            interpret(w);
        switch (w.pause) {
        case Pause::externCall:
            externCall(w);
            if (w.pause == Pause::stop) return true;
            continue;
        case Pause::slice:
            if (w.reserve > 0) return true; // only the turn is over
            if (!w.paths.empty() && ++w.slices >= patience) {
                // Perhaps this path spins until a sibling lets it go on.
                w.slices = 0;
                if (!splitOff(w, Split::State::ready, 0)) loadSplit(w, w.others.size() - 1);
                w.state = Split::State::ready;
            } else if (!w.others.empty()) {
                storeSplit(w, Split::State::ready, 0);
                mergeSplits(w);
                w.state = Split::State::done;
                loadReadySplit(w);
            }
            return false;
        case Pause::barrier: {
            const std::uint32_t id = w.pauseArgument;
            setAside(w, Split::State::atBarrier, id);
            releaseBarrier(block, id);
            break;
        }
        case Pause::arrived:
            // It was the last one to come, and does not wait itself.
            releaseBarrier(block, w.pauseArgument);
            continue;
        case Pause::phase: setAside(w, Split::State::atPhase, 0); break;
        case Pause::product:
            setAside(w, Split::State::atProduct, 0);
            joinAtProduct(w, false);
            break;
        case Pause::warpSync:
            setAside(w, Split::State::atWarpSync, w.pauseArgument);
            releaseWarpSync(w, false);
            break;
        case Pause::done:
            finishSplit(w);
            if (m_worker.tally && w.live == 0) m_worker.tally->endWarp(w);
            // Warps that wait for this one's products have nothing to wait for any more.
            if (w.live == 0 && block.async && std::exchange(block.async->productAwaited, false)) ++block.async->ended;
            releaseBarriers(block);
            if (block.cluster) clusterThreadsEnded(w);
            for (const Split& s : w.others)
                if (s.state == Split::State::atWarpSync) {
                    releaseWarpSync(w, false);
                    break;
                }
            joinAtProduct(w, false);
            break;
        default: return true;
        }
        w.slices = 0;
        if (w.state != Split::State::ready) {
            w.reserve = 0;
            return true;
        }
    }
}

void BlockRunner::setAside(Warp& w, Split::State state, std::uint32_t argument) {
    if (splitOff(w, state, argument))
        w.state = Split::State::ready;
    else
        w.state = Split::State::done;
    if (w.state == Split::State::done) loadReadySplit(w);
}

void BlockRunner::finishSplit(Warp& w) {
    w.frames.clear();
    w.paths.clear();
    w.state = Split::State::done;
    loadReadySplit(w);
}

bool BlockRunner::loadReadySplit(Warp& w) {
    for (std::size_t k = 0; k < w.others.size(); ++k) {
        Split& s = w.others[k];
        s.active &= w.live;
        if (s.state != Split::State::ready) continue;
        loadSplit(w, k);
        return true;
    }
    return false;
}

void BlockRunner::externCall(Warp& w) {
    const Code& code = *m_worker.launch->code;
    const Inst* call = w.ip;
    const ExternFunction& function = code.externs[code.bodies[w.pauseArgument].externIndex];
    if (!callDeviceFunction(w, call, function)) {
        m_worker.launch->finish(LaunchEnd::unsupported, fmt::format("the device function {}", function.name));
        w.pause = Pause::stop;
        return;
    }
    if (w.pause != Pause::stop) w.ip = call + 1;
    // Text takes far longer than instructions, which is what a slice counts.
    const RunOptions& options = *m_worker.launch->options;
    if (++m_externCalls % callsBetweenLooks != 0) return;
    if (options.stop.stop_requested())
        m_worker.launch->finish(LaunchEnd::cancelled, "cancelled");
    else if (std::chrono::steady_clock::now() > options.deadline)
        m_worker.launch->finish(LaunchEnd::timeout, "the time limit was reached");
    else
        return;
    w.pause = Pause::stop;
}

} // namespace kernelarium::emulator
