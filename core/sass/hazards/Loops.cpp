// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Loops.h"

#include <algorithm>
#include <map>

namespace kernelarium::sass {

namespace {

constexpr int none = -1;

/// Where each block goes on within its own routine. Blocks that only a call or a branch over a register reaches are
/// entries beside the first.
class Flow {
public:
    Flow(const std::vector<Instruction>& code, const std::vector<Block>& blocks)
        : m_next(blocks.size())
        , m_before(blocks.size())
        , m_order(blocks.size(), none)
        , m_dominator(blocks.size(), none) {
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const Instruction& end = code[std::size_t(blocks[b].last)];
            if (isCall(end)) {
                if (b + 1 < blocks.size()) connect(b, b + 1);
            } else if (!isReturn(end) && end.mnemonic != "BRX") {
                for (const int next : blocks[b].successors)
                    connect(b, std::size_t(next));
            } else if (end.isGuarded() && b + 1 < blocks.size()) {
                connect(b, b + 1);
            }
        }
        for (std::size_t b = 0; b < blocks.size(); ++b)
            if (m_order[b] == none) enter(int(b));
        findDominators();
    }

    [[nodiscard]] const std::vector<int>& next(int block) const { return m_next[std::size_t(block)]; }
    [[nodiscard]] const std::vector<int>& before(int block) const { return m_before[std::size_t(block)]; }

    [[nodiscard]] bool dominates(int one, int other) const {
        while (other != none && other != one)
            other = m_dominator[std::size_t(other)];
        return other == one;
    }

private:
    void connect(std::size_t from, std::size_t to) {
        m_next[from].push_back(int(to));
        m_before[to].push_back(int(from));
    }

    /// Numbers in postorder what an entry leads to.
    void enter(int entry) {
        m_entries.push_back(entry);
        std::vector<std::pair<int, std::size_t>> way{{entry, 0}};
        m_order[std::size_t(entry)] = 0; // seen; its number follows
        while (!way.empty()) {
            auto& [block, at] = way.back();
            if (at < next(block).size()) {
                const int to = next(block)[at++];
                if (m_order[std::size_t(to)] != none) continue;
                m_order[std::size_t(to)] = 0;
                way.emplace_back(to, 0);
            } else {
                m_order[std::size_t(block)] = int(m_postorder.size());
                m_postorder.push_back(block);
                way.pop_back();
            }
        }
    }

    /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), with a root before all entries: none.
    void findDominators() {
        std::vector<char> isDone(m_next.size(), 0);
        for (const int entry : m_entries)
            isDone[std::size_t(entry)] = 1;
        for (bool changed = true; changed;) {
            changed = false;
            for (auto block = m_postorder.rbegin(); block != m_postorder.rend(); ++block) {
                const auto b = std::size_t(*block);
                if (std::find(m_entries.begin(), m_entries.end(), *block) != m_entries.end()) continue;
                int dominator = none;
                bool isFirst = true;
                for (const int from : m_before[b])
                    if (isDone[std::size_t(from)]) {
                        dominator = isFirst ? from : shared(dominator, from);
                        isFirst = false;
                    }
                changed = changed || !isDone[b] || dominator != m_dominator[b];
                isDone[b] = 1;
                m_dominator[b] = dominator;
            }
        }
    }

    [[nodiscard]] int shared(int one, int other) const {
        while (one != other) {
            if (one == none || other == none) return none;
            int& lower = m_order[std::size_t(one)] < m_order[std::size_t(other)] ? one : other;
            lower = m_dominator[std::size_t(lower)];
        }
        return one;
    }

    std::vector<std::vector<int>> m_next, m_before;
    std::vector<int> m_order; ///< of each block, in postorder
    std::vector<int> m_postorder, m_entries, m_dominator;
};

/// All that leads back to the header without passing it.
std::vector<char> bodyOf(const Flow& flow, int header, const std::vector<int>& latches, std::size_t count) {
    std::vector<char> body(count, 0);
    body[std::size_t(header)] = 1;
    std::vector<int> work;
    const auto add = [&](int block) {
        if (!std::exchange(body[std::size_t(block)], char(1))) work.push_back(block);
    };
    for (const int latch : latches)
        add(latch);
    while (!work.empty()) {
        const int block = work.back();
        work.pop_back();
        for (const int from : flow.before(block))
            add(from);
    }
    return body;
}

/// Of the blocks that go back, the last one that is not out of line: of what stands up to it, at least half is the
/// loop's.
int latchOf(const std::vector<Block>& blocks, int header, std::vector<int> latches, const std::vector<char>& body) {
    std::sort(latches.rbegin(), latches.rend());
    for (const int latch : latches) {
        if (latch < header) break;
        int own = 0, all = 0;
        for (int b = header; b <= latch; ++b) {
            const int length = blocks[std::size_t(b)].last - blocks[std::size_t(b)].first + 1;
            all += length;
            own += body[std::size_t(b)] ? length : 0;
        }
        if (2 * own >= all) return latch;
    }
    return none;
}

} // namespace

bool Loop::contains(int block) const {
    return std::binary_search(blocks.begin(), blocks.end(), block);
}

std::vector<Loop> loopsOf(const std::vector<Instruction>& code, const std::vector<Block>& blocks) {
    const Flow flow(code, blocks);
    std::map<int, std::vector<int>> latches; // of each header
    for (int b = 0; b < int(blocks.size()); ++b)
        for (const int next : flow.next(b))
            if (flow.dominates(next, b)) latches[next].push_back(b);
    std::vector<Loop> loops;
    for (const auto& [header, back] : latches) {
        const std::vector<char> body = bodyOf(flow, header, back, blocks.size());
        Loop loop{header, latchOf(blocks, header, back, body), 1, {}};
        // An unconditional jump back to what stands alone (the trap behind a kernel's end) is no loop of work.
        if (loop.latch == none || blocks[std::size_t(header)].first == blocks[std::size_t(loop.latch)].last) continue;
        for (int b = header; b <= loop.latch; ++b)
            if (body[std::size_t(b)]) loop.blocks.push_back(b);
        loops.push_back(std::move(loop));
    }
    for (Loop& inner : loops)
        for (const Loop& outer : loops)
            if (&outer != &inner && outer.contains(inner.header)) ++inner.depth;
    return loops;
}

} // namespace kernelarium::sass
