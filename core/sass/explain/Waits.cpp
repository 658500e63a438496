// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/explain/Waits.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

/// Does the instruction have to wait for what is pending?
bool touches(const Instruction& i, bool isResult, const RegisterSet& registers) {
    if (registers.meets(trackedWrites(i))) return true;
    return isResult && registers.meets(trackedReads(i));
}

/// What explains a stall best comes first: no cycle to spare, then registers of which it is not known, then what leaves
/// room, a pipe last.
int tightness(const DistanceNeed& need) {
    constexpr int unknown = 1, pipe = 1 << 10;
    const std::optional<int> slack = need.slack();
    if (slack == 0) return 0;
    return (slack ? *slack + unknown : unknown) + (need.met.kind == Dependence::samePipe ? pipe : 0);
}

/// Who held the scoreboard last in the order of the code, going round a loop; -1: nobody.
int lastHolder(const std::vector<Instruction>& code, int instruction, int board) {
    const int count = int(code.size());
    for (int step = 1; step <= count; ++step) {
        const int i = (instruction - step + count) % count;
        const Control& control = code[std::size_t(i)].control;
        if (control.writeBarrier == board || control.readBarrier == board) return i;
    }
    return -1;
}

/// Waits for what is free by now, as far as all paths tell.
void addFreeOnes(const std::vector<Instruction>& code, InstructionWaits& waits) {
    const unsigned boards = code[std::size_t(waits.instruction)].control.waits;
    for (int board = 0; board < scoreboardCount; ++board) {
        if (!(boards >> board & 1)) continue;
        const bool isNamed = std::any_of(waits.scoreboards.begin(), waits.scoreboards.end(),
                                         [&](const ScoreboardWait& one) { return one.scoreboard == board; });
        const int holder = isNamed ? -1 : lastHolder(code, waits.instruction, board);
        if (holder < 0) continue;
        ScoreboardWait wait;
        wait.producer = holder;
        wait.scoreboard = board;
        wait.isResult = code[std::size_t(holder)].control.writeBarrier == board;
        wait.registers =
            wait.isResult ? trackedWrites(code[std::size_t(holder)]) : lateReads(code[std::size_t(holder)]);
        wait.isFree = true;
        waits.scoreboards.push_back(std::move(wait));
    }
}

} // namespace

std::optional<int> InstructionWaits::slack() const {
    int least = stallBefore > 0 ? stallBefore - 1 : 0; // an instruction is issued a cycle after the one before it
    for (const DistanceNeed& need : distances) {
        const std::optional<int> one = need.slack();
        if (!one) return std::nullopt;
        least = std::min(least, *one);
    }
    return least;
}

std::vector<InstructionWaits> waitsOf(const std::vector<Instruction>& code, const std::vector<Block>& blocks,
                                      const DistanceTable& table, int computeCapability) {
    std::vector<InstructionWaits> all(code.size());
    std::vector<int> lastOfBlock(code.size());
    for (const Block& block : blocks)
        for (int i = block.first; i <= block.last; ++i) {
            all[std::size_t(i)].instruction = i;
            lastOfBlock[std::size_t(i)] = block.last;
            if (i > block.first) all[std::size_t(i)].stallBefore = code[std::size_t(i) - 1].control.stall;
        }
    HazardVisitor visitor;
    visitor.met = [&](const Observation& met) {
        InstructionWaits& waits = all[std::size_t(met.consumer)];
        if (isHazard(met.kind))
            waits.hazards.push_back(met);
        else {
            std::optional<int> least = table.least(distanceKey(code, met, computeCapability));
            if (least) least = std::min(*least, met.distance); // ptxas itself goes below it here
            waits.distances.push_back({met, least});
        }
    };
    visitor.released = [&](int consumer, unsigned boards, const HazardState::Pending& pending) {
        ScoreboardWait wait;
        wait.producer = pending.producer;
        wait.scoreboard = std::countr_zero(pending.release & boards);
        wait.isResult = pending.isResult;
        wait.registers = pending.registers;
        wait.isNeededHere = touches(code[std::size_t(consumer)], pending.isResult, pending.registers);
        for (int i = consumer + 1; !wait.isNeededHere && i <= lastOfBlock[std::size_t(consumer)]; ++i)
            if (touches(code[std::size_t(i)], pending.isResult, pending.registers)) {
                wait.neededBy = i;
                break;
            }
        all[std::size_t(consumer)].scoreboards.push_back(std::move(wait));
    };
    observe(code, blocks, scheduleOf(code), visitor);
    for (InstructionWaits& waits : all) {
        if (waits.instruction >= 0) addFreeOnes(code, waits);
        std::stable_sort(waits.distances.begin(), waits.distances.end(),
                         [](const DistanceNeed& a, const DistanceNeed& b) { return tightness(a) < tightness(b); });
        std::stable_sort(waits.scoreboards.begin(), waits.scoreboards.end(),
                         [](const ScoreboardWait& a, const ScoreboardWait& b) {
                             return std::tuple(!a.isNeededHere, !a.isResult, b.producer) <
                                    std::tuple(!b.isNeededHere, !b.isResult, a.producer);
                         });
    }
    return all;
}

} // namespace kernelarium::sass
