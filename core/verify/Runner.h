// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/perf/Counters.h"
#include "core/perf/LibraryCall.h"
#include "core/recording/Recording.h"
#include "core/tensor/Value.h"
#include "core/verify/Fault.h"
#include "core/verify/HiddenInput.h"
#include "core/verify/Poison.h"
#include "core/verify/inputs/OutputArguments.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// A launch that a run made.
struct Launch {
    std::string kernel; ///< demangled name
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::uint64_t stream = 0;
    std::uint64_t warpInstructions = 0;   ///< 0 where the backend does not count
    std::uint64_t threadInstructions = 0; ///< warp instructions times active lanes
    double seconds = 0;                   ///< host time that the backend spent on it
    std::uint64_t executedBlocks = 0;     ///< where a sampled run left some out; else 0
};

/// How a run ended. Anything but `finished` leaves no outputs.
enum class RunEnd {
    finished,
    launch_refused, ///< invalid configuration, too much shared memory, ...: CUDA's own launch limits
    host_exception, ///< forward threw (TORCH_CHECK, TypeError of the call, ...)
    import_error,   ///< the module does not define what Python would import
    unsupported,    ///< needs something this backend does not have; `reason` names it
    out_of_memory,  ///< the device, a GPU or the emulator's, has no room: not the kernel's fault
    timeout,
    cancelled,
    beyond_sample, ///< what blocks would give that a sampled run leaves out is needed: `reason` says where
    crashed,       ///< unrecoverable fault: host code followed a bad pointer, stack exhausted, ...
};

/// A run at full geometry for its counters alone: of each launch only a share of the blocks is executed, library
/// operators are named and costed but not computed, and nothing is read back.
struct ProfileOptions {
    double waves = 2;                            ///< as many blocks as fill the device so often, at most
    std::uint64_t leastBlocks = 6;               ///< and at least these, whatever they cost
    std::uint64_t instructionBudget = 6'000'000; ///< warp instructions of one launch
    /// For each tensor of the arguments, depth first: elements that are repeated to fill it.
    std::vector<tensor::Tensor> tiles;
};

/// Where the elements of an output tensor lay in the device's memory when the run had ended.
struct OutputPlace {
    std::uint64_t address = 0;      ///< of the first element
    std::uint32_t elementBytes = 0; ///< 0: not in device memory (a number, a CPU tensor)
    tensor::Shape sizes;
    tensor::Shape strides; ///< in elements

    /// Address of an element by its row-major number; 0 where there is none.
    [[nodiscard]] std::uint64_t addressOf(std::int64_t element) const;
};

/// An output element whose last writer is asked for.
struct WatchedElement {
    std::size_t output = 0;   ///< as in RunResult::outputPlaces
    std::int64_t element = 0; ///< row-major number
    OutputPlace place;        ///< of that output, from an earlier run of the same request
};

/// Output elements whose last writers are asked for, all of them together.
struct WatchedElements {
    std::size_t output = 0;
    OutputPlace place;      ///< as of WatchedElement
    std::int64_t first = 0; ///< row-major number
    std::int64_t count = 0; ///< at most WriterMap::mostElements
};

/// One run of a kernel's forward: what it is called with, what is watched meanwhile, and when it is over.
struct RunRequest {
    /// Of forward, in call order; the runner copies the tensors in. Where the elements of one lie elsewhere
    /// (Capabilities::takesPlaced), those of the outputs do in the result, too.
    std::vector<tensor::Value> arguments;
    OutputArguments outputs;            ///< besides, of this call and of earlier ones
    std::uint32_t poison = firstPoison; ///< 32-bit pattern that fills every fresh allocation
    std::size_t guardBytes = 256;       ///< guard band before and after each allocation, filled with the pattern
    std::uint64_t addressSalt = 0;      ///< another value gives other addresses
    bool checks = true;                 ///< memory checks, initialised bits and races, where the backend has them
    /// The order in which blocks, and warps of a block between two barriers, are executed: 0 by index, 1 by falling
    /// index, any other number shuffled by it; with warpsOnly added, blocks by index. Right kernels differ at most by
    /// the rounding of floating-point atomics. Only where Capabilities::schedules.
    std::uint64_t schedule = 0;
    /// Lanes of a warp take turns the other way round: at divergent branches and in atomics. Right kernels differ at
    /// most as above. Only where Capabilities::schedules.
    bool contraryLanes = false;
    std::chrono::milliseconds timeLimit{60000};
    /// Launches that CUDA's rules do not order are executed in the contrary of the program's order. Only where
    /// Capabilities::reordersStreams.
    bool contraryStreams = false;
    /// Page-locked host memory that a copy from the device goes to keeps what it held until host code has waited for
    /// the copy, as it may on a GPU. Only where Capabilities::reordersStreams.
    bool lateCopies = false;
    /// Arguments of calls made before, one after another in the same process state (static variables live on). Of their
    /// results only RunResult::reusedOutputs tells. Only where Capabilities::severalCalls.
    std::vector<std::vector<tensor::Value>> earlierCalls;
    /// The tensors of every call lie where those of the first lay, if they have its shapes; else each call has fresh
    /// ones.
    bool sameAddresses = false;
    bool returnArguments = true; ///< RunResult::argumentsAfter is wanted
    bool counters = false;       ///< count, where Capabilities::counts
    /// Arguments may then be tensors without elements (Tensor::shapeOnly). Only where Capabilities::profiles.
    std::optional<ProfileOptions> profile;
    /// Launches that are expected to take more warp instructions than this execute a share of their blocks, spread over
    /// the grid; RunResult::leftOut then tells which output elements are what the whole grids would give. Implies
    /// `checks`. Only where Capabilities::samples.
    std::optional<std::uint64_t> sampleAbove;
    bool skipLaunches = false; ///< kernels are recorded but do nothing. Only where Capabilities::skipsLaunches
    /// Who last stores into this element is told in RunResult::lastWriter. Needs `checks`. Only where
    /// Capabilities::namesWriters.
    std::optional<WatchedElement> watch;
    /// Who last stores into these elements is told in RunResult::writers. Instead of `watch`, and where that may be.
    std::optional<WatchedElements> watchAll;
    /// Record one block step by step. The run ends, as `cancelled`, when that is done; earlier calls' launches do not
    /// count. Only where Capabilities::records.
    std::optional<recording::Request> recording;
    std::vector<std::string> programArguments; ///< of a program: argv; empty: a name alone
    std::stop_token stop;
};

/// The last store into an output element.
struct WriterInfo {
    enum class Kind {
        never,  ///< nobody ever stored there
        kernel, ///< a thread of a kernel
        call,   ///< a copy, a fill or a library operator that host code called
    } kind = Kind::never;
    std::string kernel; ///< demangled name
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    int line = 0;     ///< of the store, or of the call, in the user's source; 0 when unknown
    std::string call; ///< "cudaMemcpy", "aten.zeros"; "argument" where the element is an argument's, as it came in
    /// Of a kernel: number of its launch in forward, from 0; empty where it is not known (of a verdict that was kept).
    std::optional<std::uint32_t> launch = {};
    std::array<std::uint32_t, 3> blockSize{}; ///< of that launch; zeros where it is not known

    /// Number of the thread in its block; 0 where the block's size is not known.
    [[nodiscard]] std::uint32_t threadNumber() const {
        return blockSize[0] ? thread[0] + blockSize[0] * (thread[1] + blockSize[1] * thread[2]) : 0;
    }
};

/// One of the stores into an output element.
struct ElementStore {
    WriterInfo writer;
    double before = 0; ///< the element's value until then; of fresh memory, whatever filled it
};

/// The stores into one output element, the last ones, in their order.
struct ElementHistory {
    std::uint64_t stores = 0; ///< of which the list holds the last
    std::vector<ElementStore> list;
};

struct WriterMap;

/// How a run used streams other than the default one.
struct StreamUse {
    std::size_t sideStreams = 0;
    /// Work that a GPU might not have done when forward's caller, or an event that it records, goes on: a sentence
    /// each.
    std::vector<std::string> unjoined;
};

/// What a run with RunRequest::sampleAbove left out.
struct LeftOut {
    double blocks = 0;   ///< of the launches that left any out
    double executed = 0; ///< of these
    /// For each output tensor, by row-major element: 1 where it is what the whole grids would give.
    std::vector<std::vector<std::uint8_t>> known;
};

/// An output of an earlier call (RunRequest::earlierCalls) whose memory is not its own. Outputs that lie in an argument
/// of their call are not among these.
struct ReusedOutput {
    std::size_t call = 0;   ///< that returned it, from 1
    std::size_t output = 0; ///< tensors depth first
    bool changed = false;   ///< its elements are no longer what that call returned; else a later call returned it again
};

/// What host code did during the call that counts.
struct HostWork {
    std::uint64_t instructions = 0;     ///< interpreted, those of PyTorch's own functions included
    std::uint64_t bytesRead = 0;        ///< of the device's memory that copies and operators brought to the host
    std::size_t asynchronousCopies = 0; ///< from the device to page-locked memory, which do not end with their call
    std::vector<std::size_t> restored;  ///< arguments' tensors, depth first, that host code had something copied into
    std::vector<std::size_t> returned;  ///< arguments' tensors, depth first, in whose memory an output lies
};

/// What a run did too often for all of it to be kept: how much was left out.
struct LeftUnsaid {
    std::uint64_t launches = 0;           ///< of RunResult::launches
    std::uint64_t threadInstructions = 0; ///< of those launches
    std::uint64_t printedBytes = 0;       ///< of RunResult::printed
};

/// How a run ended, what forward returned, and what was seen on the way.
struct RunResult {
    RunEnd end = RunEnd::finished;
    std::string reason;          ///< why it did not finish: a sentence; for `unsupported`, the missing name
    std::optional<int> exitCode; ///< of a program: what its main returned or exit was called with, as a shell sees it
    std::vector<std::string> functions; ///< that the module gives to Python, each once, in its order
    tensor::Value output;
    /// Tensors of the arguments, depth first, as the run left them; where asked for. The very tensor where nothing
    /// changed; without elements where something did and they lie elsewhere.
    std::vector<tensor::Tensor> argumentsAfter;
    std::vector<std::size_t> updatedArguments; ///< which of those are outputs (OutputArguments)
    std::vector<std::size_t> updatedPlaces;    ///< parameters that are, where nobody said and the call changed them
    std::vector<std::size_t> freshPlaces;      ///< parameters that OutputArguments::fresh were given for
    /// For each output tensor, depth first: the first element never written; empty where all are written
    /// or the backend cannot tell.
    std::vector<std::optional<std::int64_t>> firstUnwritten;
    std::vector<OutputPlace> outputPlaces; ///< of each output tensor, numbers included; where the backend knows
    /// With RunRequest::watch; empty where the output lies elsewhere than in the earlier run.
    std::optional<WriterInfo> lastWriter;
    ElementHistory history; ///< of the same element
    /// With RunRequest::watchAll; null where the output lies elsewhere than in the earlier run.
    std::shared_ptr<const WriterMap> writers;
    /// With RunRequest::recording; empty where that launch never came, or its grid has no such block.
    std::shared_ptr<const recording::Recording> recording;
    std::optional<LeftOut> leftOut;           ///< empty where every block was executed; firstUnwritten is then empty
    std::vector<std::string> guardViolations; ///< a sentence for each damaged guard band
    std::vector<Launch> launches;             ///< the first thousands; every kernel that was launched is among them
    LeftUnsaid unsaid;
    std::vector<perf::LaunchCounters> counters;  ///< of each launch, in order, where they were asked for
    std::vector<perf::LibraryCall> libraryCosts; ///< with ProfileOptions: what the operators would cost
    std::vector<Fault> faults;
    StreamUse streams;
    HostWork host;
    std::vector<ReusedOutput> reusedOutputs;
    /// Copies whose kind does not fit their pointers, which the driver did all the same: a sentence each.
    std::vector<std::string> copyKinds;
    bool usesAtomics = false;       ///< its kernels have atomic instructions on global memory
    bool usesSharedAtomics = false; ///< the same on shared memory
    bool lanesTookTurns = false;    ///< somewhere RunRequest::contraryLanes makes another order
    bool looseOrder = false;        ///< volatile accesses met in an order that only the schedule decided
    /// What kernels that it launched read besides their arguments and memory, and may decide by.
    std::vector<HiddenInput> hiddenInputs;
    std::vector<std::string> tensorCoreTypes; ///< of the operands of matrix instructions in its kernels: "f16", "tf32"
    std::vector<std::string> libraryCalls;    ///< ATen and library operators that forward called, in order
    std::vector<std::string> refusedCalls;    ///< of CUDA's functions, the first few: "cudaMemcpy: invalid argument"
    std::vector<std::string> remarks;         ///< what a reader should know of how it ran, a sentence each
    std::string printed;                      ///< what device printf and host streams wrote (bounded)
    std::uint64_t peakBytes = 0;
    double seconds = 0;
};

/// What a runner can do beyond running forward once.
struct Capabilities {
    bool severalCalls = false;
    bool skipsLaunches = false;
    bool counts = false;
    bool profiles = false;
    bool tracksWrites = false;    ///< firstUnwritten is known and uninitialised reads are found
    bool namesWriters = false;    ///< RunRequest::watch
    bool schedules = false;       ///< RunRequest::schedule, RunRequest::contraryLanes
    bool reordersStreams = false; ///< RunRequest::contraryStreams
    bool records = false;         ///< RunRequest::recording
    bool samples = false;         ///< RunRequest::sampleAbove
    bool takesPlaced = false;     ///< arguments whose elements lie where its Workplace keeps them
};

/// What verification needs from a machine: run this kernel once with these arguments.
class Runner {
public:
    virtual ~Runner() = default;
    [[nodiscard]] virtual std::string backend() const = 0; ///< "emulator", "cuda"
    [[nodiscard]] virtual Capabilities capabilities() const { return {}; }
    /// An Error only where the runner itself failed (a dead child, say); what the kernel did is in the result.
    virtual Result<RunResult> run(const RunRequest& request) = 0;
};

} // namespace kernelarium::verify
