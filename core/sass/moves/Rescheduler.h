// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/sass/cubin/Cubin.h"
#include "core/sass/moves/BlockGraph.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::sass {

/// One change of a schedule; places count instructions of the kernel.
struct Move {
    enum class Kind {
        slide, ///< the instruction at `from` to `to`, in its block
        yield, ///< the one at `from` yields where it did not, or no longer
        reuse  ///< the one at `from` keeps an operand in the cache no longer, or again as it was compiled
    };
    int from = 0;
    int to = 0;
    Kind kind = Kind::slide;
    unsigned operand = 0; ///< of reuse: the bit of A, B or C
    friend bool operator==(const Move&, const Move&) = default;
};

/// Why a move is none.
enum class Blocked {
    none,
    order, ///< a fence, or what depends on one another
    stall, ///< a stall would not fit its four bits, or a place in front of which nothing can stall
    pair,  ///< a stall of 1 cannot yield, one over 11 must, and whoever yields keeps no operand
    reuse  ///< it kept no such operand, or the instruction that it was kept for no longer follows
};
[[nodiscard]] std::string_view name(Blocked blocked); ///< "order", "stall", "pair", "reuse"

/// How stalls are set after a move.
enum class StallRule {
    keep,   ///< an instruction takes its stall along, and no stall gets shorter
    tighten ///< as short as the distances let them be
};

/// A kernel whose instructions are moved about, one legal move after another. It proves nothing; core/sass/proof does,
/// and shares nothing with it but the decoder and the table.
class Rescheduler {
public:
    /// A block's order is kept for each two of its instructions: as many bytes as the square of their number.
    static constexpr int largestBlock = 4096;
    /// Error "too_large": a block that is longer, and cannot be moved about. To be asked before one is made.
    [[nodiscard]] static Result<void> check(const std::vector<Word>& code, int computeCapability);

    Rescheduler(const std::vector<Word>& code, const std::set<std::int64_t>& listed, int computeCapability,
                const DistanceTable& table, StallRule rule);

    /// Carries a move out, and sets stalls and reuse flags anew in its block. Where something is in its way nothing has
    /// changed.
    Blocked tryMove(const Move& move);
    bool apply(const Move& move) { return tryMove(move) == Blocked::none; }
    /// Takes back the last move that was carried out; once.
    void undo();
    /// As it was compiled.
    void reset();
    /// As far as that as the order allows; nothing where it cannot move at all.
    [[nodiscard]] std::optional<Move> reachable(int from, int distance) const;

    [[nodiscard]] std::vector<Word> words() const;
    [[nodiscard]] int stallSum() const;
    [[nodiscard]] int moved() const; ///< instructions that are not where they were

    [[nodiscard]] const std::vector<Instruction>& code() const { return m_code; } ///< as compiled
    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }
    [[nodiscard]] int at(int place) const { return m_order[std::size_t(place)]; } ///< which instruction stands there
    [[nodiscard]] int placeOf(int instruction) const { return m_placeOf[std::size_t(instruction)]; }
    [[nodiscard]] const Control& control(int instruction) const { return m_controls[std::size_t(instruction)]; }
    /// How many of the instructions that followed it as compiled have to follow one again for the cached operands that
    /// it has lost; 0: none are lost, but for those that moves have switched off.
    [[nodiscard]] int wantedBehind(int instruction) const;
    [[nodiscard]] int blockOf(int place) const { return m_blockOf[std::size_t(place)]; }

private:
    /// How far behind itself an instruction's cached operands are wanted; 0: the flag is not set.
    struct Reach {
        std::array<int, 3> steps{};
    };
    /// What a move may change of a block, by place.
    struct Before {
        std::size_t block = 0;
        std::vector<int> order;
        std::vector<Control> controls;
        int changed = -1; ///< the instruction whose wish a yield or reuse move changed
        unsigned wish = 0;
    };
    void save(std::size_t block);
    Blocked slide(const Move& move);
    Blocked changeWish(const Move& move);
    Blocked schedule(std::size_t block);
    bool setStalls(std::size_t block, int end);
    void setReuse(std::size_t block);
    void findReach();
    [[nodiscard]] bool isReused(int place, std::size_t letter) const;
    [[nodiscard]] bool mayYield(int instruction) const;
    [[nodiscard]] std::vector<PipeAges> entryAges(int computeCapability, const DistanceTable& table) const;

    static constexpr unsigned flipsYield = 8; ///< beside the three bits of operands that are not kept

    std::vector<Instruction> m_code;
    std::vector<Block> m_blocks;
    std::vector<int> m_blockOf; ///< of each place
    std::vector<BlockGraph> m_graphs;
    std::vector<int> m_order, m_placeOf;
    std::vector<Control> m_controls; ///< of each instruction, by its number as compiled
    std::vector<unsigned> m_wishes;  ///< likewise: flipsYield, and operands that are not to be kept
    std::vector<Reach> m_reach;
    std::vector<char> m_isFence;
    StallRule m_rule;
    Before m_before;
    std::vector<int> m_times; ///< of the block that is being scheduled, by number
};

} // namespace kernelarium::sass
