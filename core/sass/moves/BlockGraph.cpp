// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/moves/BlockGraph.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

bool overlap(const Access& a, const Access& b) {
    using Space = Access::Space;
    if (a.isAsynchronous && b.isAsynchronous) return true;
    if (!a.writes && !b.writes) return false;
    if (a.order == Access::Order::constant || b.order == Access::Order::constant) return false;
    const auto reaches = [](const Access& one, Space space) {
        return one.space == space || one.space == Space::generic ||
               (one.space == Space::globalToShared && (space == Space::global || space == Space::shared));
    };
    bool same = false;
    for (const Space space : {Space::global, Space::shared, Space::local})
        same |= reaches(a, space) && reaches(b, space);
    if (!same) return false;
    const bool oneBase =
        a.isLocated && b.isLocated && a.space == b.space && a.base == b.base && a.uniformBase == b.uniformBase;
    return !oneBase || (a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes);
}

/// The kind of a fixed-latency dependence through a register, as the table of distances names it.
int cyclesBetween(const std::vector<Instruction>& code, int producer, int consumer, Dependence kind, Register where,
                  int distance, int computeCapability, const DistanceTable& table) {
    const int longest = longestOf(kind == Dependence::writeAfterRead);
    const int kept = std::min(distance, longest);
    if (code[std::size_t(producer)].unit == Unit::matrix) return kept;
    const Observation met{kind, producer, consumer, where, distance, 0, IssuePipe::other};
    if (const auto least = table.least(distanceKey(code, met, computeCapability))) return std::min(kept, *least);
    if (code[std::size_t(consumer)].unit == Unit::matrix) return kept;
    return std::min(kept, table.floorOfUnits(distanceUnitKey(code, met, computeCapability)).value_or(longest));
}

} // namespace

int pipeDistance(IssuePipe pipe, int computeCapability, const DistanceTable& table) {
    if (pipe == IssuePipe::other) return 0;
    const Observation met{Dependence::samePipe, 0, 0, {}, 0, 0, pipe};
    return table.least(distanceKey({}, met, computeCapability)).value_or(longestDistance);
}

IssuePipe pipeInOrder(const Instruction& instruction) {
    return instruction.fence == Fence::none ? issuePipe(instruction) : IssuePipe::other;
}

void BlockGraph::order(int a, int b, int cycles) {
    cycles = std::max(cycles, 1); // one cannot be issued with the other
    std::uint8_t& known = m_ordered[std::size_t(b) * m_size + std::size_t(a)];
    if (known >= cycles) return;
    known = std::uint8_t(cycles);
}

/// The edges, without those that two others add up to: most do, and every move goes over all that are left.
void BlockGraph::collectEdges() {
    m_firstEdge.push_back(0);
    std::vector<Edge> all;
    for (std::size_t b = 0; b < m_size; ++b) {
        all.clear();
        for (std::size_t a = b; a-- > 0;)
            if (const int cycles = m_ordered[b * m_size + a]) all.push_back({int(a), cycles});
        for (std::size_t e = 0; e < all.size(); ++e) {
            bool isImplied = false;
            for (std::size_t k = 0; k < e && !isImplied; ++k) {
                const int toMiddle = m_ordered[std::size_t(all[k].before) * m_size + std::size_t(all[e].before)];
                isImplied = toMiddle > 0 && toMiddle + all[k].cycles >= all[e].cycles;
            }
            if (!isImplied) m_edges.push_back(all[e]);
        }
        m_firstEdge.push_back(m_edges.size());
    }
}

void BlockGraph::addRegisters(const std::vector<Instruction>& code, const Block& block, int computeCapability,
                              const DistanceTable& table, const std::vector<int>& times) {
    const int count = size();
    for (int b = 0; b < count; ++b) {
        const Instruction& second = code[std::size_t(block.first + b)];
        for (int a = 0; a < b; ++a) {
            const Instruction& first = code[std::size_t(block.first + a)];
            if (first.fence != Fence::none || second.fence != Fence::none) order(a, b, 1);
            const int distance = times[std::size_t(b)] - times[std::size_t(a)];
            const auto tie = [&](const RegisterSet& common, Dependence kind) {
                common.each([&](Register where) {
                    // With a variable latency a scoreboard keeps them apart; the order is all there is to keep.
                    const bool fixed = kind == Dependence::writeAfterRead
                                           ? !first.isVariable() || where.file() != RegisterFile::general
                                           : !first.isVariable();
                    order(a, b,
                          fixed ? cyclesBetween(code, block.first + a, block.first + b, kind, where, distance,
                                                computeCapability, table)
                                : 1);
                });
            };
            tie(first.writes & second.reads, Dependence::readAfterWrite);
            tie(first.writes & second.writes, Dependence::writeAfterWrite);
            tie(first.reads & second.writes, Dependence::writeAfterRead);
            if (first.access && second.access && overlap(*first.access, *second.access)) order(a, b, 1);
            if (first.isConvergent && second.isConvergent) order(a, b, 1);
        }
    }
}

/// Who sets a scoreboard and who waits for it keep their order, both ways.
void BlockGraph::addScoreboards(const std::vector<Instruction>& code, const Block& block,
                                const std::vector<int>& times) {
    constexpr int setToWait = 2; // the scoreboard is seen two cycles after it is set
    for (int b = 0; b < size(); ++b)
        for (int a = 0; a < b; ++a) {
            const Control &first = code[std::size_t(block.first + a)].control,
                          &second = code[std::size_t(block.first + b)].control;
            for (int board = 0; board < scoreboardCount; ++board) {
                const bool sets = first.writeBarrier == board || first.readBarrier == board;
                const bool setsLater = second.writeBarrier == board || second.readBarrier == board;
                const bool waits = first.waits >> board & 1, waitsLater = second.waits >> board & 1;
                if (sets && waitsLater) order(a, b, std::min(times[std::size_t(b)] - times[std::size_t(a)], setToWait));
                if ((waits && setsLater) || (waits && waitsLater)) order(a, b, 1);
            }
        }
}

/// An instruction without a scoreboard of its own stays in front of the one that stands for it.
void BlockGraph::addQueues(const std::vector<Instruction>& code, const Block& block) {
    for (int a = 0; a < size(); ++a) {
        const Instruction& first = code[std::size_t(block.first + a)];
        if (!first.isVariable()) continue;
        const Queue results = resultQueue(first), operands = operandQueue(first);
        bool needsResult = !first.writes.isEmpty() && first.control.writeBarrier == noScoreboard;
        bool needsOperand = !lateReads(first).isEmpty() && first.control.readBarrier == noScoreboard;
        for (int b = a + 1; b < size(); ++b) {
            const Instruction& second = code[std::size_t(block.first + b)];
            const bool tells = second.control.writeBarrier != noScoreboard;
            const bool tellsOperands = tells || second.control.readBarrier != noScoreboard;
            if (needsResult && results != Queue::none && resultQueue(second) == results && tells) {
                order(a, b, 1);
                needsResult = false;
            }
            if (needsOperand && operands != Queue::none && operandQueue(second) == operands && tellsOperands) {
                order(a, b, 1);
                // A result's scoreboard comes late: the next one that tells of operands may be who was meant.
                needsOperand = second.control.readBarrier == noScoreboard;
            }
        }
    }
}

/// Whoever touches what was under way stays behind the wait that let go of it, which may be another instruction's.
void BlockGraph::addReleases(const std::vector<Instruction>& code, const Block& block) {
    const auto bit = [](int number) { return number == noScoreboard ? 0u : 1u << number; };
    const auto at = [&](int i) -> const Instruction& { return code[std::size_t(block.first + i)]; };
    const auto waitsOf = [&](int i) {
        unsigned waits = at(i).control.waits;
        if (at(i).mnemonic == "DEPBAR") waits = (1u << scoreboardCount) - 1;
        return waits;
    };
    const auto behind = [&](int waiter, const RegisterSet& registers, bool alsoReads) {
        for (int c = waiter + 1; c < size(); ++c)
            if (registers.meets(at(c).writes) || (alsoReads && registers.meets(at(c).reads))) order(waiter, c, 1);
    };
    for (int a = 0; a < size(); ++a) {
        const Instruction& first = at(a);
        if (!first.isVariable()) continue;
        unsigned result = bit(first.control.writeBarrier), operand = bit(first.control.readBarrier) | result;
        bool resultSeen = first.writes.isEmpty(), operandSeen = lateReads(first).isEmpty();
        for (int b = a + 1; b < size() && !(resultSeen && operandSeen); ++b) {
            if (!resultSeen && (waitsOf(b) & result)) {
                resultSeen = true;
                behind(b, first.writes, true);
            }
            if (!operandSeen && (waitsOf(b) & operand)) {
                operandSeen = true;
                behind(b, lateReads(first), false);
            }
            const bool sameResults = resultQueue(first) != Queue::none && resultQueue(at(b)) == resultQueue(first);
            const bool sameOperands = operandQueue(first) != Queue::none && operandQueue(at(b)) == operandQueue(first);
            if (sameResults && first.control.writeBarrier == noScoreboard) result |= bit(at(b).control.writeBarrier);
            if (sameOperands && first.control.readBarrier == noScoreboard)
                operand |= bit(at(b).control.readBarrier) | bit(at(b).control.writeBarrier);
        }
    }
    // What was under way when the block was entered: the first waits for a scoreboard that the block has not set.
    unsigned set = 0, seen = 0;
    RegisterSet written;
    for (int w = 0; w < size(); ++w) {
        const unsigned fromOutside = waitsOf(w) & ~set & ~seen;
        seen |= waitsOf(w);
        set |= bit(at(w).control.writeBarrier) | bit(at(w).control.readBarrier);
        for (int c = w + 1; fromOutside && c < size(); ++c)
            if (!((at(c).reads | at(c).writes) - written).isEmpty()) order(w, c, 1);
        if (!at(w).isGuarded() && !at(w).isVariable()) written |= at(w).writes;
    }
}

void BlockGraph::addBorders(const std::vector<Instruction>& code, const Block& block, const std::vector<int>& times) {
    const int count = size();
    const int end = times[std::size_t(count)];
    RegisterSet written, read;
    for (int i = 0; i < count; ++i) {
        const Instruction& one = code[std::size_t(block.first + i)];
        const RegisterSet touched = one.reads | one.writes;
        // What the block has not written itself may have been written, or be read, shortly before it.
        if (!(touched - written).isEmpty() || !one.writes.isEmpty())
            m_earliest[std::size_t(i)] = std::min(times[std::size_t(i)], longestDistance);
        if (!one.isGuarded() && !one.isVariable()) written |= one.writes;
        for (int board = 0; board < scoreboardCount; ++board)
            if (one.control.waits >> board & 1)
                m_earliest[std::size_t(i)] = std::max(m_earliest[std::size_t(i)], std::min(times[std::size_t(i)], 2));
    }
    for (int i = 0; i < count; ++i) {
        const Instruction& one = code[std::size_t(block.first + i)];
        const int left = end - times[std::size_t(i)];
        int need = std::min(left, one.reads.isEmpty() ? 1 : longestReadDistance);
        if (!one.isVariable() && !one.writes.isEmpty()) need = std::min(left, longestDistance);
        if (one.isVariable()) need = std::max(need, std::min(left, 2));
        m_untilEnd[std::size_t(i)] = need;
    }
}

void BlockGraph::addPipes(const std::vector<Instruction>& code, const Block& block, int computeCapability,
                          const DistanceTable& table, const std::vector<int>& times, const PipeAges& entry) {
    const int end = times[m_size];
    std::array<bool, issuePipeCount> isMet{};
    for (std::size_t i = 0; i < m_size; ++i) {
        const IssuePipe pipe = pipeInOrder(code[std::size_t(block.first) + i]);
        m_pipe[i] = std::size_t(pipe);
        if (pipe == IssuePipe::other) continue;
        PipeBorder& border = m_borders[std::size_t(pipe)];
        if (!isMet[std::size_t(pipe)]) {
            border.cycles = pipeDistance(pipe, computeCapability, table);
            border.earliest = std::clamp(border.cycles - entry[std::size_t(pipe)], 0, times[i]);
        }
        isMet[std::size_t(pipe)] = true;
        border.untilEnd = std::min(end - times[i], border.cycles);
    }
}

BlockGraph::BlockGraph(const std::vector<Instruction>& code, const Block& block, int computeCapability,
                       const DistanceTable& table, const PipeAges& entry) {
    const auto count = std::size_t(block.last - block.first + 1);
    m_size = count;
    m_ordered.resize(count * count);
    m_earliest.resize(count);
    m_untilEnd.resize(count);
    m_pipe.resize(count);
    std::vector<int> times(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
        times[i + 1] = times[i] + code[std::size_t(block.first) + i].control.stall;
    addPipes(code, block, computeCapability, table, times, entry);
    addRegisters(code, block, computeCapability, table, times);
    addScoreboards(code, block, times);
    addQueues(code, block);
    addReleases(code, block);
    addBorders(code, block, times);
    collectEdges();
}

} // namespace kernelarium::sass
