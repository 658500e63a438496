// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/Blocks.h"
#include "core/sass/hazards/Distances.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::sass {

inline constexpr std::size_t issuePipeCount = std::size_t(IssuePipe::other) + 1;
/// Cycles since each pipe was last issued to.
using PipeAges = std::array<int, issuePipeCount>;

/// What ties the instructions of one block to one another, and to what stands around the block: all that a change of
/// their order has to keep. Made once from the code as compiled; made without the walk that schedules are proved by, so
/// that one can be wrong without the other. Numbers count instructions within the block.
class BlockGraph {
public:
    /// `before` may not come behind, and `after` not sooner than so many cycles after it.
    struct Edge {
        int before = 0;
        int cycles = 1;
    };
    /// What the block owes a pipe at its borders, in cycles.
    struct PipeBorder {
        int cycles = 0;   ///< between two of the pipe; 0: no pipe of its own
        int earliest = 0; ///< from the block's begin to the first of the pipe
        int untilEnd = 0; ///< from the last of the pipe to the block's end
    };

    /// `entry`: how old the last of each pipe is, at least, whenever the block is entered.
    BlockGraph(const std::vector<Instruction>& code, const Block& block, int computeCapability,
               const DistanceTable& table, const PipeAges& entry);

    [[nodiscard]] int size() const { return int(m_size); }
    /// What has to stand in front of an instruction; what follows from that is left out.
    [[nodiscard]] std::span<const Edge> before(int instruction) const {
        const std::size_t first = m_firstEdge[std::size_t(instruction)];
        return std::span(m_edges).subspan(first, m_firstEdge[std::size_t(instruction) + 1] - first);
    }
    /// Must `a`, which stood in front of `b`, stay there?
    [[nodiscard]] bool isOrdered(int a, int b) const {
        return m_ordered[std::size_t(b) * m_size + std::size_t(a)] != 0;
    }
    /// Cycles from the block's begin that an instruction must leave to what ran before the block.
    [[nodiscard]] int earliest(int instruction) const { return m_earliest[std::size_t(instruction)]; }
    /// Cycles up to the block's end that must be left to what runs after it.
    [[nodiscard]] int untilEnd(int instruction) const { return m_untilEnd[std::size_t(instruction)]; }
    /// The pipe of an instruction that has one of its own and is no fence; else IssuePipe::other.
    [[nodiscard]] std::size_t pipe(int instruction) const { return m_pipe[std::size_t(instruction)]; }
    [[nodiscard]] const PipeBorder& border(std::size_t pipe) const { return m_borders[pipe]; }

private:
    void order(int a, int b, int cycles);
    void collectEdges();
    void addPipes(const std::vector<Instruction>& code, const Block& block, int computeCapability,
                  const DistanceTable& table, const std::vector<int>& times, const PipeAges& entry);
    void addRegisters(const std::vector<Instruction>& code, const Block& block, int computeCapability,
                      const DistanceTable& table, const std::vector<int>& times);
    void addScoreboards(const std::vector<Instruction>& code, const Block& block, const std::vector<int>& times);
    void addQueues(const std::vector<Instruction>& code, const Block& block);
    void addReleases(const std::vector<Instruction>& code, const Block& block);
    void addBorders(const std::vector<Instruction>& code, const Block& block, const std::vector<int>& times);

    std::size_t m_size = 0;
    std::vector<Edge> m_edges;
    std::vector<std::size_t> m_firstEdge; ///< of each instruction, and one more
    std::vector<std::uint8_t> m_ordered;  ///< the cycles of each edge; 0: none
    std::vector<int> m_earliest, m_untilEnd;
    std::vector<std::size_t> m_pipe;
    std::array<PipeBorder, issuePipeCount> m_borders{};
};

/// Cycles between two instructions of one pipe, as the table has it; 0 for those without a pipe of their own.
[[nodiscard]] int pipeDistance(IssuePipe pipe, int computeCapability, const DistanceTable& table);

/// The pipe that an instruction is issued to; `other` for fences, beside which pipes do not matter.
[[nodiscard]] IssuePipe pipeInOrder(const Instruction& instruction);

} // namespace kernelarium::sass
