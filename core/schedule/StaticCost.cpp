// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/StaticCost.h"

#include "core/sass/explain/WarpModel.h"
#include "core/sass/instruction/Decoder.h"

#include <algorithm>
#include <array>

namespace kernelarium::schedule {

namespace {

constexpr double turnsOfLoop = 10; ///< nothing in the code says how many there are
constexpr int noRegister = 255;
constexpr std::size_t ports = 3;
constexpr int lastOfTwoCycles = 80; ///< compute capability whose float32 instructions take two cycles of a scheduler

/// One warp on its way through code: its clock, its scoreboards and its operand cache.
struct Warp {
    int now = 0;
    int conflicts = 0;
    std::array<int, sass::scoreboardCount> free{};
    std::array<int, ports> cached{noRegister, noRegister, noRegister};
};

/// Hears nothing: a search asks for sums thousands of times a second.
struct Unnoted {
    void counting(bool) {}
    void held(std::size_t, int, bool) {}
    void waited(std::size_t, int, std::size_t) {}
    void issued(std::size_t, int, int) {}
};

/// Adds up what the cycles that count go to.
struct UseNote {
    const std::vector<sass::Instruction>& code;
    const std::vector<double>& turns; ///< of each block
    StallCycles uses{};
    std::array<int, sass::scoreboardCount> owner{};
    std::array<bool, sass::scoreboardCount> isResult{};
    bool counts = false; ///< the first turn of a loop does not

    void counting(bool now) { counts = now; }
    void held(std::size_t board, int by, bool forResult) {
        owner[board] = by;
        isResult[board] = forResult;
    }
    void waited(std::size_t block, int cycles, std::size_t board) {
        if (cycles > 0) add(block, useOfWaiting(code[std::size_t(owner[board])], isResult[board]), cycles);
    }
    void issued(std::size_t block, int stall, int conflicts) {
        add(block, CycleUse::issue, 1);
        add(block, CycleUse::fixedLatency, stall - 1);
        add(block, CycleUse::registerFetch, conflicts);
    }
    void add(std::size_t block, CycleUse use, int cycles) {
        if (counts) uses.cycles[std::size_t(use)] += turns[block] * cycles;
    }
};

} // namespace

StaticCost::StaticCost(const std::vector<sass::Instruction>& code, const std::vector<sass::Block>& blocks,
                       int computeCapability)
    : m_blocks(blocks)
    , m_turns(blocks.size(), 1)
    , m_innermost(blocks.size(), -1)
    , m_banksMatter(computeCapability <= lastOfTwoCycles) {
    for (const sass::Instruction& i : code) {
        Read read{sass::modelledLatency(i), sass::modelledReadLatency(i), 0, !i.neverRuns(), {}};
        if (i.mnemonic == "DEPBAR") read.waits = unsigned(i.word.bits(32, 6)) | (1U << i.word.bits(44, 3));
        read.registers = {noRegister, noRegister, noRegister};
        // A matrix product reads its operands over several cycles, a wide operand is not followed here.
        const bool reads = i.unit != sass::Unit::matrix && i.unit != sass::Unit::doubleMatrix;
        for (const sass::Operand& one : i.operands)
            if (reads && one.slot && one.kind == sass::Operand::Kind::general && one.count == 1)
                read.registers[std::size_t(one.slot - 'A')] = one.index;
        m_reads.push_back(read);
        m_controls.push_back(i.control);
    }
    m_loops = sass::loopsOf(code, m_blocks);
    for (std::size_t l = 0; l < m_loops.size(); ++l)
        for (const int b : m_loops[l].blocks) {
            m_turns[std::size_t(b)] *= turnsOfLoop;
            const int before = m_innermost[std::size_t(b)];
            if (before < 0 || m_loops[l].depth >= m_loops[std::size_t(before)].depth)
                m_innermost[std::size_t(b)] = int(l);
        }
    m_shares.resize(blocks.size());
    Unnoted unnoted;
    const double all =
        sum([](int place) { return place; },
            [&](int id) -> const sass::Control& { return m_controls[std::size_t(id)]; }, &m_shares, unnoted)
            .cost();
    for (double& share : m_shares)
        share = all > 0 ? share / all : 0;
}

template <class At, class ControlOf, class Note>
StaticCost::Figures StaticCost::sum(const At& at, const ControlOf& controlOf, std::vector<double>* shares,
                                    Note& note) const {
    Figures figures;
    Warp warp;
    const auto run = [&](const sass::Block& block, std::size_t number) {
        for (int k = block.first; k <= block.last; ++k) {
            const int id = at(k);
            const Read& read = m_reads[std::size_t(id)];
            const sass::Control& control = controlOf(id);
            int time = warp.now;
            std::size_t last = 0; // scoreboard that is free last
            const unsigned waits = control.waits | read.waits;
            for (std::size_t board = 0; waits >> board; ++board)
                if (waits >> board & 1 && board < warp.free.size() && warp.free[board] > time) {
                    time = warp.free[board];
                    last = board;
                }
            const int conflictsBefore = warp.conflicts;
            note.waited(number, time - warp.now, last); // before this instruction holds one itself
            if (read.runs) {
                const auto hold = [&](int board, int until, bool forResult) {
                    if (board == sass::noScoreboard || warp.free[std::size_t(board)] > until) return;
                    warp.free[std::size_t(board)] = until;
                    note.held(std::size_t(board), id, forResult);
                };
                hold(control.writeBarrier, time + read.latency, true);
                hold(control.readBarrier, time + read.readLatency, false);
            }
            warp.now = time + std::max(control.stall, 1);
            int fetched[ports], count = 0;
            for (std::size_t port = 0; port < ports; ++port) {
                const int wanted = read.registers[port];
                if (wanted == noRegister) continue;
                const bool isKnown =
                    warp.cached[port] == wanted || std::find(fetched, fetched + count, wanted) != fetched + count;
                if (!isKnown) fetched[count++] = wanted;
                warp.cached[port] = control.reuse >> port & 1 ? wanted : noRegister;
            }
            warp.conflicts +=
                count == int(ports) &&
                (!m_banksMatter || (fetched[0] % 2 == fetched[1] % 2 && fetched[1] % 2 == fetched[2] % 2));
            note.issued(number, std::max(control.stall, 1), warp.conflicts - conflictsBefore);
        }
    };
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
        const int loop = m_innermost[b];
        // A loop's first turn fills its pipes and is not what its other turns are like.
        if (loop >= 0 && m_loops[std::size_t(loop)].header == int(b)) {
            const sass::Loop& one = m_loops[std::size_t(loop)];
            const bool isInner = std::all_of(one.blocks.begin(), one.blocks.end(),
                                             [&](int inner) { return m_innermost[std::size_t(inner)] == loop; });
            note.counting(false);
            if (isInner)
                for (const int inner : one.blocks)
                    run(m_blocks[std::size_t(inner)], std::size_t(inner));
        }
        note.counting(true);
        const int began = warp.now, conflicts = warp.conflicts;
        run(m_blocks[b], b);
        const double cycles = m_turns[b] * (warp.now - began), banks = m_turns[b] * (warp.conflicts - conflicts);
        figures.cycles += cycles;
        figures.conflicts += banks;
        if (shares) (*shares)[b] = cycles + banks;
    }
    return figures;
}

StaticCost::Figures StaticCost::of(const sass::Rescheduler& schedule) const {
    Unnoted unnoted;
    Figures figures = sum([&](int place) { return schedule.at(place); },
                          [&](int id) -> const sass::Control& { return schedule.control(id); }, nullptr, unnoted);
    figures.stalls = schedule.stallSum();
    return figures;
}

StallCycles StaticCost::uses(const std::vector<sass::Instruction>& code) const {
    UseNote note{code, m_turns};
    (void)sum([](int place) { return place; },
              [&](int id) -> const sass::Control& { return m_controls[std::size_t(id)]; }, nullptr, note);
    return note.uses;
}

StaticCost::Figures StaticCost::original() const {
    Unnoted unnoted;
    Figures figures =
        sum([](int place) { return place; },
            [&](int id) -> const sass::Control& { return m_controls[std::size_t(id)]; }, nullptr, unnoted);
    for (const sass::Control& control : m_controls)
        figures.stalls += control.stall;
    return figures;
}

StallCycles stallCyclesOf(const std::vector<sass::Word>& words, int computeCapability) {
    const std::vector<sass::Instruction> code = sass::decodeAll(words, computeCapability);
    return StaticCost(code, sass::blocksOf(code), computeCapability).uses(code);
}

} // namespace kernelarium::schedule
