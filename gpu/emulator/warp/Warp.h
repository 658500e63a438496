// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/emulator/warp/BlockClocks.h"
#include "gpu/emulator/warp/LaunchResult.h"
#include "gpu/emulator/warp/SeenStores.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kernelarium::emulator {

/// Lanes of the special registers, in the warp's special segment. Each has 32 lanes of 32 bits.
namespace special {
enum Slot : std::uint32_t {
    tidX,
    tidY,
    tidZ,
    ntidX,
    ntidY,
    ntidZ,
    ctaidX,
    ctaidY,
    ctaidZ,
    nctaidX,
    nctaidY,
    nctaidZ,
    laneId,
    warpId,
    nwarpId,
    lanemaskEq,
    lanemaskLt,
    lanemaskLe,
    lanemaskGt,
    lanemaskGe,
    smId,
    nsmId,
    gridId,
    dynamicShared,
    totalShared,
    zero,
    gridBarrierLow,
    clusterCtaidX,
    clusterCtaidY,
    clusterCtaidZ,
    clusterNctaidX,
    clusterNctaidY,
    clusterNctaidZ,
    clusterIdX,
    clusterIdY,
    clusterIdZ,
    nclusterIdX,
    nclusterIdY,
    nclusterIdZ,
    clusterRank,
    clusterSize,
    farOffset,       ///< offsets of an access of another block's shared memory (gpu/emulator/async/FarAccess.h)
    gridBarrierHigh, ///< address of what grid.sync() counts in; 0 where the launch is not cooperative
    count
};
constexpr std::uint32_t bytes = 32 * 4;
} // namespace special

/// A pending path of a diverged warp: lanes that go on at `pc` until `reconverge`.
struct Path {
    const Inst* pc;
    const Inst* reconverge;
    std::uint32_t mask;
};

/// A call on a warp's stack.
struct Frame {
    std::uint32_t function = 0;
    std::uint32_t registerBase = 0;
    std::uint32_t localBase = 0;
    std::uint32_t pathBase = 0; ///< paths above this belong to the frame
    std::uint32_t callMask = 0; ///< lanes that entered
    std::uint32_t pending = 0;  ///< lanes of an indirect call that still wait for another target
    std::uint32_t running = 0;  ///< lanes that entered with this target
    const Inst* call = nullptr; ///< the call instruction; null for the outermost frame
    const Inst* callerReconverge = nullptr;
    std::uint64_t serial = 0;
};

/// Lanes of a warp that run on their own: normally one per warp; more after a divergent wait.
struct Split {
    const Inst* ip = nullptr;
    const Inst* reconverge = nullptr;
    std::uint32_t active = 0;
    std::vector<Path> paths;
    std::vector<Frame> frames;
    /// `atPhase`: at a wait for an mbarrier or a cluster's barrier, which is executed again. `atProduct`: at a wgmma,
    /// for the other lanes of the warp (.sync); it is executed again with these.
    enum class State : std::uint8_t { ready, atBarrier, atWarpSync, atPhase, atProduct, done } state = State::ready;
    std::uint32_t barrier = 0; ///< barrier number, or member mask of a warp sync
};

struct Block;
struct Worker;
class Tally;

/// How the lanes of an address register lie, as the last access found that all lanes executed.
struct KnownRow {
    static constexpr std::uint32_t neither = ~0u;
    std::uint64_t first = 0;        ///< the first lane's
    std::uint32_t stride = neither; ///< bytes from one lane to the next; 0: all the same
};

/// Why a handler suspended its warp.
enum class Pause : std::uint8_t { none, slice, barrier, arrived, warpSync, phase, product, done, stop, externCall };

/// 32 lanes while they run. What handlers use most comes first.
struct alignas(64) Warp {
    std::byte* base[3] = {}; ///< frame registers, constants, special registers
    std::uint32_t active = 0;
    std::uint32_t live = 0; ///< lanes that exist and have not exited
    const Inst* reconverge = nullptr;
    std::int64_t fuel = 0;
    std::uint32_t localBase = 0;
    std::uint32_t localStride = 0; ///< local memory bytes of one lane
    std::byte* local = nullptr;
    std::uint8_t* localStates = nullptr; ///< null with checks off
    race::Key raceKey;                   ///< what races are judged by
    bool lanesApart = false;             ///< something was stored since the lanes last met
    bool productsApart = false;          ///< at a wgmma its lanes no longer wait for those that never came to one
    Block* block = nullptr;
    Worker* worker = nullptr;
    const Inst* ip = nullptr; ///< where a suspended warp goes on
    Pause pause = Pause::none;
    std::uint32_t pauseArgument = 0;
    std::uint32_t unknown = 0; ///< lanes whose results may depend on blocks left out (LeftOut.h)
    std::uint32_t carry = 0;   ///< condition code register, one bit per lane
    std::uint32_t index = 0;   ///< in the block
    std::vector<Path> paths;
    std::vector<Frame> frames;
    std::vector<Split> others; ///< splits that are not loaded
    Split::State state = Split::State::ready;
    std::uint32_t waitArgument = 0;
    std::uint64_t spent = 0;  ///< while counting: instructions counted
    std::int64_t reserve = 0; ///< while counting: what is left of the slice after this turn
    std::uint32_t slices = 0; ///< expired in a row without a pause of another kind
    std::array<KnownRow, knownRowCount> rows{};
    CopyQueue asyncCopies;
    AlignedBytes registers, specials, localMemory, localStateMemory;
    std::uint64_t frameSerial = 0;
    std::uint32_t rootRegister = 0; ///< where the outermost frame's registers and local memory start:
    std::uint32_t rootLocal = 0;    ///< above those of an interrupted call, in host code
};

/// A named barrier of a block.
struct Barrier {
    std::uint32_t arrived = 0;  ///< threads
    std::uint32_t expected = 0; ///< 0: all threads of the block
};

/// Is told of each fault in a block as it happens.
class FaultWitness {
public:
    virtual void noteFault(const Warp& warp, std::uint32_t lanes, const char* kind, const std::string& message) = 0;

protected:
    ~FaultWitness() = default;
};

/// Is asked of each read of shared memory whose bytes are not there, whether it knows why.
class ReadWatch {
public:
    virtual ~ReadWatch() = default;
    /// Reports it, where it does; else false.
    virtual bool noteEarlyRead(Warp& warp, const Inst* ip, std::uint32_t lane, std::uint64_t offset,
                               std::uint32_t bytes) = 0;
};

/// A resident block with everything needed to go on with it later.
struct Block {
    Dim3 index{};
    std::vector<std::unique_ptr<Warp>> warps;
    std::uint32_t threads = 0;
    std::uint32_t finishedThreads = 0;
    std::array<Barrier, 16> barriers{};
    bool unknownVotes = false;                   ///< a thread that LeftOut.h is about has voted at a barrier
    std::array<std::uint32_t, 16> barrierPopc{}; ///< bar.red: how many threads' predicates held
    AlignedBytes sharedMemory, sharedStateMemory;
    std::byte* shared = nullptr;
    std::uint8_t* sharedStates = nullptr;
    std::uint32_t sharedBytes = 0;
    std::uint32_t multiprocessor = 0; ///< that %smid names
    BlockClocks clocks;
    AlignedBytes raceWriters, raceReaders, raceOthers, raceWeak;
    alignas(64) race::Marks raceMarks; ///< of shared memory; in one cache line, as each access reads them
    SeenStores seenStores;
    class Recorder* recorder = nullptr;      ///< null: the block is not recorded
    FaultWitness* witness = nullptr;         ///< its recorder, where it has one
    ReadWatch* reads = nullptr;              ///< its asynchronous work, where it has any
    std::shared_ptr<class AsyncWork> async;  ///< null until it has any (gpu/emulator/async)
    std::shared_ptr<struct Cluster> cluster; ///< null where it was launched without one
    std::uint32_t rank = 0;                  ///< in the cluster
    const Block* elsewhere = nullptr;        ///< whose shared memory a warp accesses as if it were this one's
};

/// Whose shared memory the warp's accesses are of now.
[[nodiscard]] inline const Block& memoryOf(const Warp& w) {
    return w.block->elsewhere ? *w.block->elsewhere : *w.block;
}

/// Collects faults of one launch; thread-safe.
class FaultLog {
public:
    explicit FaultLog(std::size_t perKind)
        : m_perKind(perKind) {}
    void add(Fault fault);
    [[nodiscard]] std::vector<Fault> take();

private:
    std::size_t m_perKind;
    std::mutex m_mutex;
    std::vector<Fault> m_faults;
    std::map<std::string, std::size_t> m_kinds;
};

/// What the workers of one launch share.
struct LaunchState {
    const Code* code = nullptr;
    DeviceMemory* memory = nullptr;
    const LaunchConfig* config = nullptr;
    const RunOptions* options = nullptr;
    class TouchMap* touched = nullptr; ///< null: nothing is counted
    FaultLog* faults = nullptr;
    class SyncTable* syncs = nullptr;        ///< where races are looked for
    const class BlockOrder* order = nullptr; ///< of the grid's blocks, or of its clusters
    race::Marks races;                       ///< of global memory; none where they are not looked for
    std::uint32_t firstRaceBlock = 0;        ///< race number of the block that comes first in the order
    bool checks = false;
    std::atomic<bool> clocksRanOut{false}; ///< of some block: races were not looked for to its end
    class DeviceLaunches* launches = nullptr;
    std::uint64_t gridBarrier = 0; ///< device address; 0 where the launch is not cooperative
    Dim3 cluster{1, 1, 1};         ///< blocks of a cluster
    std::atomic<std::uint64_t> nextBlock{0};
    std::atomic<std::uint64_t> blocksDone{0};
    std::atomic<int> end{-1}; ///< LaunchEnd once something other than the normal end is decided
    std::mutex reasonMutex;
    std::string reason;
    std::mutex printMutex;

    void finish(LaunchEnd how, std::string why);
    /// The block at a place of the order: of clusters, one behind the other, each by its blocks' ranks.
    [[nodiscard]] Dim3 blockAt(std::uint64_t place) const;
};

/// One thread that runs blocks.
struct Worker {
    LaunchState* launch = nullptr;
    std::byte* memory = nullptr; ///< DeviceMemory::data()
    std::uint8_t* states = nullptr;
    std::uint64_t memoryLimit = 0;
    bool checks = false;
    bool contraryLanes = false;                            ///< RunOptions::contraryLanes
    bool lanesTookTurns = false;                           ///< LaunchResult::lanesTookTurns
    bool looseOrder = false;                               ///< LaunchResult::looseOrder
    std::unordered_set<const Inst*> reported;              ///< faults of which one of a kind is enough
    std::uint8_t written = DeviceMemory::stateInitialised; ///< what a store into global memory sets of its state
    const std::byte* parameters = nullptr;
    std::uint32_t parameterBytes = 0;
    std::vector<std::uint64_t> blockRuns;  ///< executions of each basic block, by warps
    std::vector<std::uint64_t> blockLanes; ///< the same times active lanes
    std::uint64_t sequence = 0;
    Tally* tally = nullptr;                         ///< null: nothing is counted
    race::Marks raceMarks;                          ///< of global memory; none where races are not looked for
    std::unordered_map<std::uint64_t, Fault> races; ///< reported ones, and how often they came again
    const void* hostOwner = nullptr;                ///< the HostRun, when host code runs
};

/// A fault without kind and message: the kernel, block, thread and line of a lane at an instruction.
[[nodiscard]] Fault faultAt(const Warp& warp, const Inst* ip, std::uint32_t lane);
/// Reports a fault of the first lane in `lanes` and counts the others.
void reportFault(Warp& warp, const Inst* ip, std::uint32_t lanes, const char* kind, std::string message,
                 bool leavesAllocation);
/// Ends the launch because of the instruction at `ip`; the handler then returns null.
const Inst* trap(Warp& warp, const Inst* ip, std::string why);
/// The same of host code that divides by zero, for which a CPU ends the process.
const Inst* trapDivisionByZero(Warp& warp, const Inst* ip);
/// The same of one whose quotient has no number: the most negative integer by -1.
const Inst* trapDivisionOverflow(Warp& warp, const Inst* ip);

} // namespace kernelarium::emulator
