// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one block of one launch did, warp instruction by warp instruction: enough to walk through it forth and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::recording {

inline constexpr std::uint32_t laneCount = 32;
inline constexpr std::size_t defaultSteps = 10000;
inline constexpr std::size_t mostSteps = 100000;

using Place = std::array<std::uint32_t, 3>;

/// What is to be recorded.
struct Request {
    /// Number of the launch in forward, from 0; empty: the first of a kernel that has code of `line`.
    std::optional<std::uint32_t> launch;
    Place block{};
    std::optional<std::uint32_t> warp; ///< only this one; empty: all of the block
    /// The recording is to hold the first step at this line of the user's source, with what led to it; 0: it begins
    /// where the block begins.
    int line = 0;
    std::size_t maxSteps = defaultSteps;
};

/// A register as the PTX declares it. Values are bits: in `words` words of 64 bits for each lane, lower word first.
struct Register {
    std::string name; ///< "%r12"
    /// As declared ("f32", "pred" with values 0 and 1); of one declared by its width alone ("b32"), the type of that
    /// width which the instructions that write it give it, else those that read it.
    std::string type;
    std::uint32_t function = 0;
    std::uint32_t words = 1; ///< 2 for 128 bits
};

/// An instruction of the recorded program.
struct Instruction {
    std::string text; ///< as the PTX has it: "@%p1 ld.global.f32 %f1, [%rd4];"
    int line = 0;     ///< of the user's source; 0 when unknown
    int textLine = 0; ///< of the PTX
    std::uint32_t function = 0;
    bool isBarrier = false; ///< warps may wait here: bar, barrier, mbarrier, cp.async.wait
};

/// Live when the recorded launch began.
struct Allocation {
    std::string label; ///< "argument 1"
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// A memory that an access goes to.
enum class Space : std::uint8_t { global, shared, local };

/// One access of memory, by the lanes of a mask. Lists have an element for each of these lanes, in ascending order.
struct Access {
    Space space = Space::global;
    bool reads = false;
    bool writes = false;
    std::uint32_t bytes = 0; ///< of one lane, all elements of a vector together
    std::uint32_t lanes = 0;
    std::vector<std::uint64_t> addresses; ///< global: device addresses; shared, local: offsets in bytes
    std::uint32_t known = 0;              ///< lanes whose bytes could be looked at: those inside memory
    std::vector<std::uint8_t> values;     ///< `bytes` for each lane of `known`: as read, or as the step left them
    // Of shared memory: how many turns its 32 banks take, and how few would do.
    std::uint32_t wavefronts = 0;
    std::uint32_t idealWavefronts = 0;
};

/// A register that a step wrote, or that changed.
struct RegisterChange {
    std::uint32_t reg = 0;                    ///< index into Recording::registers
    std::uint32_t lanes = 0;                  ///< written
    std::uint32_t fresh = 0;                  ///< of these, never written before in this call of the function
    std::vector<std::uint64_t> before, after; ///< words for each lane of `lanes`
};

/// A 4-byte word of shared memory that changed since the recorded step before.
struct SharedChange {
    std::uint32_t word = 0; ///< offset / 4
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    bool fresh = false; ///< its first byte was written for the first time
};

/// A fault at a step.
struct StepFault {
    std::string kind; ///< as verify::Fault has it
    std::string message;
    std::uint32_t lanes = 0; ///< the first of them
};

/// One instruction of one warp.
struct Step {
    std::uint32_t warp = 0;
    std::uint32_t instruction = 0; ///< index into Recording::instructions
    std::uint64_t frame = 0;       ///< call of the function, by a number that grows within a warp
    std::uint32_t depth = 1;       ///< functions on the stack
    std::uint32_t active = 0;      ///< lanes on this path
    std::uint32_t on = 0;          ///< of these, those whose predicate holds
    std::vector<RegisterChange> registers;
    std::vector<SharedChange> shared;
    std::vector<Access> accesses;
    std::vector<StepFault> faults;
};

/// A register before the first step.
struct RegisterState {
    std::uint32_t warp = 0;
    std::uint64_t frame = 0;
    std::uint32_t reg = 0;
    std::uint32_t written = 0;         ///< lanes
    std::vector<std::uint64_t> values; ///< words of all 32 lanes
};

/// One block of one launch, step by step.
struct Recording {
    std::string kernel; ///< demangled, without parameters
    std::uint32_t launch = 0;
    Place grid{1, 1, 1};
    Place blockSize{1, 1, 1};
    Place block{};
    std::uint32_t warps = 1; ///< of the block
    std::optional<std::uint32_t> onlyWarp;
    int line = 0;                        ///< asked for
    std::optional<std::size_t> lineStep; ///< the first step at that line
    std::uint64_t skipped = 0;           ///< steps before the first that is kept
    bool isCut = false;                  ///< the block went on after the last step

    std::vector<std::string> functions; ///< names as in the PTX
    std::vector<Register> registers;
    std::vector<Instruction> instructions;
    std::vector<Allocation> allocations;

    // Before the first step.
    std::vector<RegisterState> base;
    std::vector<std::uint32_t> sharedBase;   ///< words
    std::vector<std::uint8_t> sharedWritten; ///< for each word, whether it was written
    std::vector<Step> steps;
};

} // namespace kernelarium::recording
