// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/Blocks.h"
#include "core/sass/hazards/Queues.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kernelarium::sass {

/// Cycles that are enough for any dependence with a fixed latency: more than any that ptxas keeps.
inline constexpr int longestDistance = 40;
/// The same between a read and a later write: operands are read soon after the issue.
inline constexpr int longestReadDistance = 16;
[[nodiscard]] inline int longestOf(bool isWriteAfterRead) {
    return isWriteAfterRead ? longestReadDistance : longestDistance;
}

/// What one instruction has to do with an earlier one that is perhaps not done with a register.
enum class Dependence {
    // Without a fixed latency: hazards. The scoreboard that would tell is not waited for.
    resultUnderWay,     ///< reads what has not been written yet
    resultOverwritten,  ///< writes what an earlier instruction will still write
    operandOverwritten, ///< writes what an earlier instruction has still to read
    // With a fixed latency: distances from issue to issue, which suffice or do not.
    readAfterWrite,
    writeAfterWrite,
    writeAfterRead,
    samePipe,      ///< the one before in the same pipe
    scoreboardAge, ///< from setting a scoreboard to waiting for it
};

[[nodiscard]] inline bool isHazard(Dependence kind) {
    return kind <= Dependence::operandOverwritten;
}
[[nodiscard]] std::string_view name(Dependence kind);

/// One dependence as it was met. `producer` and `consumer` are the instructions' numbers in the code as compiled.
struct Observation {
    Dependence kind = Dependence::readAfterWrite;
    int producer = -1;
    int consumer = -1;
    Register where;           ///< not of samePipe and scoreboardAge
    int distance = 0;         ///< cycles; not of hazards
    unsigned scoreboards = 0; ///< that would tell, for hazards; the one that is waited for, for scoreboardAge
    IssuePipe pipe = IssuePipe::other;
};

/// An instruction in its place of a schedule, with the scheduling that it has there.
struct Slot {
    int id = 0; ///< its number in the code as compiled
    Control control;
};

/// What is under way between two instructions.
class HazardState {
public:
    struct Pending {
        int producer = -1;
        Queue queue = Queue::none;
        unsigned release = 0; ///< scoreboards, each of which says that it is done
        bool isResult = false;
        bool hasOwn = false; ///< one of `release` is its own of that kind
        RegisterSet registers;
    };
    struct Recent {
        int producer = -1;
        Register where;
        int age = 0;
    };
    struct Board {
        int producer = -1;
        int number = 0;
        int age = 0;
    };
    /// The last one of a pipe.
    struct Issued {
        int producer = -1; ///< none, or so long ago that it does not matter
        int age = 0;
    };
    std::vector<Pending> pending;
    std::vector<Recent> written;                                 ///< with a fixed latency
    std::vector<Recent> read;                                    ///< at the issue
    std::vector<Board> boards;                                   ///< set lately
    std::array<Issued, std::size_t(IssuePipe::other) + 1> pipes; ///< that no fence takes part in

    /// Takes in what may be under way on another path as well. True if that is more than was known.
    bool merge(const HazardState& other);
};

/// Where it ends: on leaving a block, and at each instruction what it is told of.
struct HazardVisitor {
    /// A dependence, met at its consumer.
    std::function<void(const Observation&)> met;
    /// An instruction's waits have let go of this: called before its own dependences.
    std::function<void(int consumer, unsigned waits, const HazardState::Pending&)> released;
};

/// Runs a state over instructions in the order of `slots`. `code` is indexed by their ids.
void walk(HazardState& state, const std::vector<Instruction>& code, std::span<const Slot> slots,
          const HazardVisitor* visitor = nullptr);

/// A kernel's schedule: for each instruction of the code as compiled, in its order, who stands there.
using Schedule = std::vector<Slot>;

[[nodiscard]] Schedule scheduleOf(const std::vector<Instruction>& code);

/// The states in which blocks are entered, over all paths from the kernel's start; nothing where no path leads.
[[nodiscard]] std::vector<std::optional<HazardState>> solve(const std::vector<Instruction>& code,
                                                            const std::vector<Block>& blocks, const Schedule& schedule);

/// Every dependence of the kernel: solve, then each block once with the visitor.
void observe(const std::vector<Instruction>& code, const std::vector<Block>& blocks, const Schedule& schedule,
             const HazardVisitor& visitor);

} // namespace kernelarium::sass
