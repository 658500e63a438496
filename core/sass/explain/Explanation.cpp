// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/explain/Explanation.h"

#include "core/perf/MultiprocessorLimits.h"
#include "core/quantities/Quantities.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::sass {

namespace {

constexpr int schedulers = 4;         ///< of a multiprocessor of compute capability 8.0 to 9.0
constexpr std::size_t mostSteps = 10; ///< of a path that are told one by one

/// NOPs and the trap loop that fill a kernel up behind its last instruction are left out.
std::size_t lengthWithoutPadding(const std::vector<Instruction>& code) {
    std::size_t length = code.size();
    while (length > 0 && code[length - 1].fence == Fence::padding)
        --length;
    return length;
}

std::string counted(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// Warps that the registers leave room for on one scheduler.
int warpsOfRegisters(int registers, int computeCapability) {
    const perf::MultiprocessorLimits* limits = perf::limitsOf("sm_" + std::to_string(computeCapability));
    if (!limits) return 0;
    std::uint32_t warps = limits->warps;
    if (registers > 0) warps = std::min(warps, limits->registers / limits->registersOfWarp(std::uint32_t(registers)));
    return std::max(int(warps) / schedulers, 1);
}

/// What holds a scheduler when there are warps enough.
std::string limitText(const LoopModel& m) {
    const int held = m.busy.count(m.busiest) ? m.busy.at(m.busiest) : 0;
    return held > m.instructions ? fmt::format("the {} pipe", name(m.busiest)) : "the issue";
}

/// "LDS R4, [R2]" is cut to its operation and result where the whole would be long.
std::string shortText(const Instruction& i) {
    const std::string whole = text(i);
    return whole.size() <= 44 ? whole : whole.substr(0, whole.find(',')) + ", ...";
}

std::string needText(const Explanation& e, const DistanceNeed& need) {
    const Observation& met = need.met;
    const std::string kept = need.least ? fmt::format("{} needed", *need.least) : std::string("needed: not known");
    if (met.kind == Dependence::samePipe)
        return fmt::format("{} behind the last one in the {} pipe at {}, {}",
                           counted(std::size_t(met.distance), "cycle"), name(met.pipe), placeText(e, met.producer),
                           kept);
    if (met.kind == Dependence::scoreboardAge)
        return fmt::format("{} after scoreboard {} is set at {}, {}", counted(std::size_t(met.distance), "cycle"),
                           std::countr_zero(met.scoreboards), placeText(e, met.producer), kept);
    const char* verb = met.kind == Dependence::readAfterWrite    ? "writes {}, read here"
                       : met.kind == Dependence::writeAfterWrite ? "writes {}, written here"
                                                                 : "reads {}, written here";
    return fmt::format("{} after {} at {} {}, {}", counted(std::size_t(met.distance), "cycle"),
                       shortText(e.code[std::size_t(met.producer)]), placeText(e, met.producer),
                       fmt::format(fmt::runtime(verb), registerName(met.where)), kept);
}

bool isWithin(const ExplainedLoop& inner, const ExplainedLoop& outer) {
    return &inner != &outer && inner.first >= outer.first && inner.last <= outer.last;
}

/// Cycles for which a turn holds the pipes that compute, without the loops within it.
int ownArithmetic(const Explanation& e, const ExplainedLoop& loop) {
    int cycles = 0;
    for (const ModelledIssue& issue : loop.model.issues) {
        const int i = issue.instruction;
        const bool isInner = std::any_of(e.loops.begin(), e.loops.end(), [&](const ExplainedLoop& other) {
            return isWithin(other, loop) && i >= other.first && i <= other.last;
        });
        if (isInner) continue;
        switch (const IssuePipe pipe = issuePipe(e.code[std::size_t(i)])) {
        case IssuePipe::floating:
        case IssuePipe::half:
        case IssuePipe::doubled:
        case IssuePipe::halfMatrix:
        case IssuePipe::matrix:
        case IssuePipe::conversion: cycles += pipeCycles(pipe, e.computeCapability); break;
        default: break;
        }
    }
    return cycles;
}

/// Those of one scoreboard and one producer as one line.
std::string scoreboardText(const Explanation& e, const ScoreboardWait& wait) {
    const Instruction& producer = e.code[std::size_t(wait.producer)];
    std::string out =
        fmt::format("waits for scoreboard {}: {} at {} {} {}", wait.scoreboard, shortText(producer),
                    placeText(e, wait.producer), wait.isResult ? "writes" : "reads", text(wait.registers));
    if (wait.isFree)
        out += ", free by now";
    else if (wait.isNeededHere)
        out += ", wanted here";
    else if (wait.neededBy)
        out += fmt::format(", wanted at {}", placeText(e, *wait.neededBy));
    else
        out += ", not wanted in this block";
    return out;
}

} // namespace

const ExplainedLoop* Explanation::hotLoop() const {
    const ExplainedLoop* hot = nullptr;
    int most = 0;
    for (const ExplainedLoop& one : loops)
        if (const int own = ownArithmetic(*this, one); own > most) {
            hot = &one;
            most = own;
        }
    if (hot) return hot;
    for (const ExplainedLoop& one : loops) {
        const bool isInnermost =
            std::none_of(loops.begin(), loops.end(), [&](const ExplainedLoop& other) { return isWithin(other, one); });
        if (isInnermost && (!hot || one.last - one.first > hot->last - hot->first)) hot = &one;
    }
    return hot;
}

Explanation explain(const Cubin& cubin, const KernelCode& kernel, const LineTable& lines, const DistanceTable& table) {
    Explanation out;
    out.kernel = kernel.name;
    out.computeCapability = cubin.computeCapability();
    out.code = decodeAll(wordsOf(cubin.code(kernel)), out.computeCapability);
    for (Instruction& one : out.code)
        if (one.fence == Fence::none && kernel.listed.count(one.place)) one.fence = Fence::listed;
    out.code.resize(lengthWithoutPadding(out.code));
    out.file = lines.fileOf(kernel.name);
    for (const Instruction& one : out.code) {
        out.lines.push_back(lines.at(kernel.name, one.place, out.file).line);
        out.unknownOperations += !one.isKnown();
    }
    out.blocks = blocksOf(out.code);
    out.waits = waitsOf(out.code, out.blocks, table, out.computeCapability);
    for (const InstructionWaits& one : out.waits)
        out.hazards += int(one.hazards.size());
    out.registers = kernel.registers;
    out.residentWarps = warpsOfRegisters(kernel.registers, out.computeCapability);
    for (const Loop& loop : loopsOf(out.code, out.blocks)) {
        ExplainedLoop one{loop,
                          out.blocks[std::size_t(loop.header)].first,
                          out.blocks[std::size_t(loop.latch)].last,
                          modelLoop(out.code, out.blocks, loop, out.computeCapability),
                          {}};
        one.path = criticalPath(one.model, out.waits);
        out.loops.push_back(std::move(one));
    }
    return out;
}

std::string placeText(const Explanation& e, int instruction) {
    const int line = e.lines[std::size_t(instruction)];
    const std::string place = fmt::format("{:#06x}", e.code[std::size_t(instruction)].place);
    return line > 0 ? fmt::format("{} (line {})", place, line) : place;
}

std::vector<std::string> waitLines(const Explanation& e, int instruction) {
    const InstructionWaits& waits = e.waits[std::size_t(instruction)];
    std::vector<std::string> out;
    const Fence fence = e.code[std::size_t(instruction)].fence;
    if (fence == Fence::unknown)
        out.push_back("not in our table: counts as reading and writing every register");
    else if (fence == Fence::asynchronous)
        out.push_back(
            "asynchronous: when its work is done is said by barriers of its own, which are not followed here");
    for (const ScoreboardWait& one : waits.scoreboards) {
        std::string line = scoreboardText(e, one);
        if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
    }
    // The tightest distance says why the stall in front is as long as it is.
    if (!waits.distances.empty() && waits.stallBefore > 1) {
        const DistanceNeed& need = waits.distances.front();
        const std::optional<int> slack = waits.slack();
        out.push_back(needText(e, need) +
                      (slack ? *slack > 0 ? fmt::format(": {} to spare", counted(std::size_t(*slack), "cycle"))
                                          : std::string(": none to spare")
                             : std::string()));
    }
    for (const Observation& one : waits.hazards)
        out.push_back(fmt::format("NOT EXPLAINED: {} of {} at {} {}", registerName(one.where),
                                  shortText(e.code[std::size_t(one.producer)]), placeText(e, one.producer),
                                  name(one.kind)));
    return out;
}

std::string stepText(const Explanation& e, const PathStep& step) {
    if (step.cause == IssueCause::order) return {};
    const std::string cycles = counted(std::size_t(step.cycles), "cycle");
    const std::string what = step.cause == IssueCause::scoreboard ? fmt::format("scoreboard {}", step.scoreboard)
                                                                  : std::string("result of fixed latency");
    if (step.from < 0) return fmt::format("{}, held in the turn before, {} from the turn's begin", what, cycles);
    return fmt::format("{}, {} at {}, {}", what, shortText(e.code[std::size_t(step.from)]), placeText(e, step.from),
                       cycles);
}

namespace {

std::vector<std::string> pathLines(const Explanation& e, const CriticalPath& path) {
    std::vector<std::string> out;
    out.push_back(fmt::format("Critical path of a turn (modelled): {} wait for scoreboards, {} for results of fixed "
                              "latency, {} issue one instruction after the other",
                              counted(std::size_t(path.scoreboard), "cycle"), path.distance, path.order));
    std::vector<const PathStep*> longest;
    for (const PathStep& step : path.steps)
        if (step.cause != IssueCause::order) longest.push_back(&step);
    std::stable_sort(longest.begin(), longest.end(),
                     [](const PathStep* a, const PathStep* b) { return a->cycles > b->cycles; });
    const std::size_t left = longest.size() - std::min(longest.size(), mostSteps);
    longest.resize(longest.size() - left);
    std::sort(longest.begin(), longest.end(), [](const PathStep* a, const PathStep* b) { return a->time < b->time; });
    for (const PathStep* step : longest)
        out.push_back(fmt::format("  at cycle {:>4}, {} {}: {}", step->time, placeText(e, step->instruction),
                                  shortText(e.code[std::size_t(step->instruction)]), stepText(e, *step)));
    if (left > 0) out.push_back(fmt::format("  and {}", counted(left, "shorter step")));
    return out;
}

/// "the same", or how much faster or slower.
std::string changeText(double before, double after) {
    if (after == before) return "the same";
    return after > before ? quantities::percent(after / before - 1) + " slower"
                          : quantities::percent(1 - after / before) + " faster";
}

} // namespace

std::string warpsLine(const Explanation& e, const ExplainedLoop& loop, int warps) {
    const LoopModel& m = loop.model;
    const double now = m.cyclesATurn(warps);
    std::string out = fmt::format("With {} a scheduler a turn ends every {} cycles (modelled): {} is the limit. ",
                                  counted(std::size_t(warps), "warp"), quantities::number(now),
                                  warps < m.enoughWarps() ? "latency" : limitText(m));
    if (warps > 1) out += fmt::format("One warp fewer: {}. ", changeText(now, m.cyclesATurn(warps - 1)));
    out += fmt::format("One more: {}", changeText(now, m.cyclesATurn(warps + 1)));
    if (e.residentWarps > 0 && warps >= e.residentWarps)
        out += e.registers > 0
                   ? fmt::format("; {} a thread leave no room for it", counted(std::size_t(e.registers), "register"))
                   : std::string("; a multiprocessor holds no more");
    return out;
}

std::vector<std::string> loopLines(const Explanation& e, const ExplainedLoop& loop, int warps) {
    const LoopModel& m = loop.model;
    std::vector<std::string> out;
    out.push_back(fmt::format("Loop {} to {}: {}, {} cycles a turn for one warp alone (modelled), {} of them by stalls",
                              placeText(e, loop.first), placeText(e, loop.last),
                              counted(std::size_t(m.instructions), "instruction"), m.cycles, m.stalls));
    const bool hasInner =
        std::any_of(e.loops.begin(), e.loops.end(), [&](const ExplainedLoop& other) { return isWithin(other, loop); });
    if (hasInner) out.push_back("A turn passes once through each of the loops within it");
    const int held = m.busy.count(m.busiest) ? m.busy.at(m.busiest) : 0;
    out.push_back(fmt::format("A turn takes {} issue slots and holds the {} pipe longest: {} cycles", m.instructions,
                              name(m.busiest), held));
    const int enough = m.enoughWarps();
    out.push_back(enough <= 1 ? fmt::format("One warp a scheduler keeps {} busy: more warps gain nothing (modelled)",
                                            limitText(m))
                              : fmt::format("Latency limits it below {} warps a scheduler, {} from there on (modelled)",
                                            enough, limitText(m)));
    if (const int resident = warps > 0 ? warps : e.residentWarps; resident > 0)
        out.push_back(warpsLine(e, loop, resident));
    for (std::string& line : pathLines(e, loop.path))
        out.push_back(std::move(line));
    return out;
}

} // namespace kernelarium::sass
