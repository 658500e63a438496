// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/moves/Rescheduler.h"

#include "core/sass/instruction/Decoder.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kernelarium::sass {

namespace {

constexpr int longestStall = 15, longestWithoutYield = 11;
constexpr int farthestReuse = 15; ///< instructions behind which no cached operand is looked for

/// What a schedule may say of an instruction with that stall, of its own or as it was compiled.
bool mayChooseYield(int stall) {
    return stall > 1 && stall <= longestWithoutYield;
}

} // namespace

std::string_view name(Blocked blocked) {
    switch (blocked) {
    case Blocked::none: return "none";
    case Blocked::order: return "order";
    case Blocked::stall: return "stall";
    case Blocked::pair: return "pair";
    case Blocked::reuse: break;
    }
    return "reuse";
}

Result<void> Rescheduler::check(const std::vector<Word>& code, int computeCapability) {
    for (const Block& block : blocksOf(decodeAll(code, computeCapability)))
        if (const int count = block.last - block.first + 1; count > largestBlock)
            return Error{"too_large",
                         fmt::format("A block of {} instructions is too long to be moved about: {} are the most.",
                                     count, largestBlock),
                         "Unroll less."};
    return {};
}

Rescheduler::Rescheduler(const std::vector<Word>& code, const std::set<std::int64_t>& listed, int computeCapability,
                         const DistanceTable& table, StallRule rule)
    : m_code(decodeAll(code, computeCapability))
    , m_rule(rule) {
    for (Instruction& one : m_code)
        if (one.fence == Fence::none && listed.count(one.place)) one.fence = Fence::listed;
    m_blocks = blocksOf(m_code);
    m_blockOf.resize(m_code.size());
    const std::vector<PipeAges> ages = entryAges(computeCapability, table);
    m_graphs.reserve(m_blocks.size());
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
        m_graphs.emplace_back(m_code, m_blocks[b], computeCapability, table, ages[b]);
        for (int i = m_blocks[b].first; i <= m_blocks[b].last; ++i)
            m_blockOf[std::size_t(i)] = int(b);
    }
    for (const Instruction& one : m_code)
        m_isFence.push_back(one.fence != Fence::none);
    reset();
    findReach();
}

void Rescheduler::reset() {
    m_order.resize(m_code.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    m_placeOf = m_order;
    m_wishes.assign(m_code.size(), 0);
    m_controls.clear();
    for (const Instruction& one : m_code)
        m_controls.push_back(one.control);
    m_before = {};
}

/// The least age of each pipe's last instruction at each block's begin, over all paths and whatever moves are made: its
/// last instruction may come as close to a block's end as the pipe's cycles let it, or as it was; a block without one
/// takes a cycle for each of its instructions at least.
std::vector<PipeAges> Rescheduler::entryAges(int computeCapability, const DistanceTable& table) const {
    PipeAges never, cycles;
    never.fill(longestDistance);
    for (std::size_t p = 0; p < issuePipeCount; ++p)
        cycles[p] = pipeDistance(IssuePipe(p), computeCapability, table);
    std::vector<PipeAges> own(m_blocks.size()), entries(m_blocks.size(), never);
    std::vector<int> lengths;
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
        own[b].fill(-1);
        int length = 0, left = 0;
        for (int i = m_blocks[b].last; i >= m_blocks[b].first; --i) {
            const Instruction& one = m_code[std::size_t(i)];
            left += one.control.stall;
            length += m_rule == StallRule::keep ? one.control.stall : std::min(one.control.stall, 1);
            const auto pipe = std::size_t(pipeInOrder(one));
            if (own[b][pipe] < 0) own[b][pipe] = std::min(left, cycles[pipe]);
        }
        lengths.push_back(length);
    }
    for (bool more = true; more;) {
        more = false;
        for (std::size_t b = 0; b < m_blocks.size(); ++b)
            for (const int next : m_blocks[b].successors)
                for (std::size_t p = 0; p < issuePipeCount; ++p) {
                    const int age = own[b][p] >= 0 ? own[b][p] : std::min(entries[b][p] + lengths[b], longestDistance);
                    int& known = entries[std::size_t(next)][p];
                    more |= age < known;
                    known = std::min(known, age);
                }
    }
    return entries;
}

/// A cached operand is wanted by the next instruction that reads the register through the same port. What the hardware
/// makes of the flag when anything else comes in between is not known, so that the very same ones have to follow up to
/// there; where nobody reads it again, as far as one looks.
void Rescheduler::findReach() {
    m_reach.resize(m_code.size());
    for (std::size_t i = 0; i < m_code.size(); ++i) {
        const Instruction& one = m_code[i];
        for (std::size_t letter = 0; letter < 3; ++letter) {
            if (!(one.control.reuse >> letter & 1)) continue;
            const char port = char('A' + int(letter));
            const int kept = one.slot(port), last = m_blocks[std::size_t(m_blockOf[i])].last;
            int steps = 0;
            for (int next = int(i) + 1; next <= last && steps < farthestReuse; ++next) {
                ++steps;
                if (kept == constantIndex(RegisterFile::general) || m_code[std::size_t(next)].slot(port) == kept ||
                    m_code[std::size_t(next)].writes.contains(Register::of(RegisterFile::general, kept)))
                    break;
            }
            m_reach[i].steps[letter] = std::max(steps, 1);
        }
    }
}

int Rescheduler::wantedBehind(int instruction) const {
    const auto id = std::size_t(instruction);
    const unsigned lost = m_code[id].control.reuse & ~m_controls[id].reuse & ~m_wishes[id];
    int steps = 0;
    for (std::size_t letter = 0; letter < m_reach[id].steps.size(); ++letter)
        if (lost >> letter & 1) steps = std::max(steps, m_reach[id].steps[letter]);
    return steps;
}

std::optional<Move> Rescheduler::reachable(int from, int distance) const {
    const auto b = std::size_t(m_blockOf[std::size_t(from)]);
    const Block& block = m_blocks[b];
    const int mine = m_order[std::size_t(from)], step = distance < 0 ? -1 : 1;
    if (m_isFence[std::size_t(mine)]) return std::nullopt;
    int to = from;
    // As 64 bits: a move that was read may say any number.
    for (const std::int64_t end = std::int64_t(from) + distance; to != end; to += step) {
        const int next = to + step;
        if (next < block.first || next > block.last) break;
        const int other = m_order[std::size_t(next)];
        // Two that have changed places already are free of one another.
        if (m_graphs[b].isOrdered(std::min(mine, other) - block.first, std::max(mine, other) - block.first)) break;
    }
    if (to == from) return std::nullopt;
    return Move{from, to};
}

void Rescheduler::save(std::size_t b) {
    const Block& block = m_blocks[b];
    m_before.block = b;
    m_before.order.assign(m_order.begin() + block.first, m_order.begin() + block.last + 1);
    m_before.controls.assign(m_controls.begin() + block.first, m_controls.begin() + block.last + 1);
    m_before.changed = -1;
}

void Rescheduler::undo() {
    const Block& block = m_blocks[m_before.block];
    for (std::size_t k = 0; k < m_before.order.size(); ++k) {
        m_order[std::size_t(block.first) + k] = m_before.order[k];
        m_placeOf[std::size_t(m_before.order[k])] = block.first + int(k);
        m_controls[std::size_t(block.first) + k] = m_before.controls[k];
    }
    if (m_before.changed >= 0) m_wishes[std::size_t(m_before.changed)] = m_before.wish;
}

Blocked Rescheduler::tryMove(const Move& move) {
    if (move.from < 0 || std::size_t(move.from) >= m_code.size()) return Blocked::order;
    save(std::size_t(m_blockOf[std::size_t(move.from)]));
    const Blocked blocked = move.kind == Move::Kind::slide ? slide(move) : changeWish(move);
    if (blocked != Blocked::none) undo();
    return blocked;
}

Blocked Rescheduler::slide(const Move& move) {
    if (move.from == move.to || move.to < 0 || std::size_t(move.to) >= m_code.size()) return Blocked::order;
    const std::optional<Move> far = reachable(move.from, move.to - move.from);
    if (!far || far->to != move.to) return Blocked::order;
    if (move.from < move.to)
        std::rotate(m_order.begin() + move.from, m_order.begin() + move.from + 1, m_order.begin() + move.to + 1);
    else
        std::rotate(m_order.begin() + move.to, m_order.begin() + move.from, m_order.begin() + move.from + 1);
    for (int k = std::min(move.from, move.to); k <= std::max(move.from, move.to); ++k)
        m_placeOf[std::size_t(m_order[std::size_t(k)])] = k;
    const auto b = std::size_t(m_blockOf[std::size_t(move.from)]);
    if (const Blocked blocked = schedule(b); blocked != Blocked::none) return blocked;
    setReuse(b);
    for (int i = m_blocks[b].first; i <= m_blocks[b].last; ++i)
        if (!mayYield(i)) return Blocked::pair;
    return Blocked::none;
}

Blocked Rescheduler::changeWish(const Move& move) {
    const int id = m_order[std::size_t(move.from)];
    unsigned& wish = m_wishes[std::size_t(id)];
    m_before.changed = id;
    m_before.wish = wish;
    if (move.kind == Move::Kind::yield) {
        if (m_isFence[std::size_t(id)]) return Blocked::order;
        Control& control = m_controls[std::size_t(id)];
        if (!mayChooseYield(control.stall)) return Blocked::pair;
        wish ^= flipsYield;
        control.yields = !control.yields;
        return mayYield(id) ? Blocked::none : Blocked::pair;
    }
    const unsigned had = m_code[std::size_t(id)].control.reuse;
    if (move.operand == 0 || move.operand > 4 || (move.operand & (move.operand - 1)) || !(had & move.operand))
        return Blocked::reuse;
    if (!isReused(move.from, move.operand == 4 ? 2 : move.operand - 1)) return Blocked::reuse;
    wish ^= move.operand;
    m_controls[std::size_t(id)].reuse ^= move.operand;
    return mayYield(id) ? Blocked::none : Blocked::pair;
}

/// Whoever yields keeps no operand: a pair that ptxas never writes.
bool Rescheduler::mayYield(int id) const {
    const Control& control = m_controls[std::size_t(id)];
    return !control.yields || control.reuse == 0 || m_code[std::size_t(id)].control.yields;
}

/// Issue times from front to back, each as early as its ties allow; stalls are what lies between them.
Blocked Rescheduler::schedule(std::size_t b) {
    const Block& block = m_blocks[b];
    const BlockGraph& graph = m_graphs[b];
    const int count = graph.size();
    m_times.resize(std::size_t(count));
    std::array<int, issuePipeCount> pipes;
    pipes.fill(-1);
    int now = 0, previous = -1, end = 0;
    for (int k = 0; k < count; ++k) {
        const int whole = m_order[std::size_t(block.first + k)], id = whole - block.first;
        int time = std::max(now, graph.earliest(id));
        for (const BlockGraph::Edge& edge : graph.before(id))
            time = std::max(time, m_times[std::size_t(edge.before)] + edge.cycles);
        const std::size_t pipe = graph.pipe(id);
        const BlockGraph::PipeBorder& border = graph.border(pipe);
        if (border.cycles > 0) {
            time = std::max(time, pipes[pipe] < 0 ? border.earliest : pipes[pipe] + border.cycles);
            pipes[pipe] = time;
        }
        if (previous < 0 && time > 0) return Blocked::stall; // nothing stands in front that could stall
        if (previous >= 0) {
            const int stall = time - m_times[std::size_t(previous)];
            if (stall > longestStall) return Blocked::stall;
            m_controls[std::size_t(block.first + previous)].stall = stall;
        }
        m_times[std::size_t(id)] = time;
        end = std::max(end, time + graph.untilEnd(id));
        const Control& control = m_controls[std::size_t(whole)];
        const int least = m_rule == StallRule::keep || m_isFence[std::size_t(whole)] ? control.stall : 1;
        now = time + std::max(least, control.stall == 0 ? 0 : 1);
        previous = id;
    }
    // What runs after the block must find everything at least as old as it was, or old enough.
    for (std::size_t pipe = 0; pipe < issuePipeCount; ++pipe)
        if (pipes[pipe] >= 0) end = std::max(end, pipes[pipe] + graph.border(pipe).untilEnd);
    return setStalls(b, std::max(end, now)) ? Blocked::none : Blocked::stall;
}

/// Stretches the block to its end, and sets what yields.
bool Rescheduler::setStalls(std::size_t b, int end) {
    const Block& block = m_blocks[b];
    const int last = m_order[std::size_t(block.last)];
    Control& control = m_controls[std::size_t(last)];
    const int left = end - m_times[std::size_t(last - block.first)];
    if (!m_isFence[std::size_t(last)]) {
        control.stall = left;
    } else {
        control.stall = m_code[std::size_t(last)].control.stall;
        const int lack = left - std::max(control.stall, 1);
        if (lack > 0 && block.last == block.first) return false;
        // A branch keeps its stall: the one in front of it is stretched.
        if (lack > 0) m_controls[std::size_t(m_order[std::size_t(block.last - 1)])].stall += lack;
    }
    for (int i = block.first; i <= block.last; ++i) {
        Control& one = m_controls[std::size_t(i)];
        const Control& compiled = m_code[std::size_t(i)].control;
        if (one.stall > longestStall) return false;
        if (m_isFence[std::size_t(i)] && one.stall != compiled.stall) return false;
        if (one.stall == compiled.stall || mayChooseYield(one.stall))
            one.yields = compiled.yields;
        else
            one.yields = one.stall > longestWithoutYield;
        if ((m_wishes[std::size_t(i)] & flipsYield) && mayChooseYield(one.stall)) one.yields = !one.yields;
    }
    return true;
}

bool Rescheduler::isReused(int place, std::size_t letter) const {
    const int id = m_order[std::size_t(place)], reach = m_reach[std::size_t(id)].steps[letter];
    if (reach == 0 || place + reach > m_blocks[std::size_t(m_blockOf[std::size_t(place)])].last) return false;
    for (int step = 1; step <= reach; ++step)
        if (m_order[std::size_t(place + step)] != id + step) return false;
    return true;
}

/// An operand stays cached only where the very same instructions follow as in the code as compiled.
void Rescheduler::setReuse(std::size_t b) {
    const Block& block = m_blocks[b];
    for (int k = block.first; k <= block.last; ++k) {
        const auto id = std::size_t(m_order[std::size_t(k)]);
        unsigned kept = m_code[id].control.reuse & ~m_wishes[id];
        if (kept == 0 && m_controls[id].reuse == 0) continue;
        for (std::size_t letter = 0; letter < 3; ++letter)
            if ((kept >> letter & 1) && !isReused(k, letter)) kept &= ~(1U << letter);
        m_controls[id].reuse = kept;
    }
}

std::vector<Word> Rescheduler::words() const {
    std::vector<Word> out;
    out.reserve(m_order.size());
    for (const int id : m_order)
        out.push_back(withControl(m_code[std::size_t(id)].word, m_controls[std::size_t(id)]));
    return out;
}

int Rescheduler::stallSum() const {
    int sum = 0;
    for (const Control& control : m_controls)
        sum += control.stall;
    return sum;
}

int Rescheduler::moved() const {
    int count = 0;
    for (std::size_t i = 0; i < m_order.size(); ++i)
        count += m_order[i] != int(i);
    return count;
}

} // namespace kernelarium::sass
