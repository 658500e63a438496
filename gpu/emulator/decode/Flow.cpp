// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/Flow.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

/// Predicated calls and barriers are executed by branching around them.
bool isSkippable(const ptx::Instruction& i) {
    return i.predicate >= 0 && (i.opcode == "call" || i.opcode == "bar" || i.opcode == "barrier");
}

bool endsBlock(const ptx::Instruction& i) {
    return isSkippable(i) || i.opcode == "bra" || i.opcode == "brx" || i.opcode == "ret" || i.opcode == "exit" ||
           i.opcode == "trap";
}

std::vector<std::uint32_t> targets(const ptx::Function& f, const ptx::Instruction& i) {
    std::vector<std::uint32_t> found;
    if (i.opcode == "bra" && !i.operands.empty()) {
        found.push_back(labelTarget(f, i.operands[0].name, i.textLine));
    } else if (i.opcode == "brx") {
        const std::string_view table = i.operands.size() > 1 ? i.operands[1].name : std::string_view();
        for (const ptx::BranchTable& t : f.branchTables)
            if (t.name == table)
                for (std::string_view label : t.targets)
                    found.push_back(labelTarget(f, label, i.textLine));
    }
    return found;
}

/// Immediate post-dominators by the iterative algorithm on the reversed graph, with a virtual exit after all blocks.
class PostDominators {
public:
    explicit PostDominators(Flow& flow)
        : m_flow(flow)
        , m_exit(int(flow.blocks.size())) {}

    void run() {
        const int n = m_exit;
        m_predecessors.resize(std::size_t(n) + 1);
        for (int b = 0; b < n; ++b) {
            const auto& s = m_flow.blocks[std::size_t(b)].successors;
            for (int t : s)
                m_predecessors[std::size_t(t)].push_back(b);
            if (s.empty()) m_predecessors[std::size_t(m_exit)].push_back(b);
        }
        number();
        // Blocks that never reach the end (endless loops) get an edge to it, so that every block has a number.
        for (int b = 0; b < n; ++b)
            if (m_order[std::size_t(b)] < 0) {
                m_predecessors[std::size_t(m_exit)].push_back(b);
                m_extra.push_back(b);
                number();
            }
        iterate();
        for (int b = 0; b < n; ++b) {
            const int d = m_dominator[std::size_t(b)];
            m_flow.blocks[std::size_t(b)].postDominator = d == m_exit ? Flow::none : d;
        }
    }

private:
    void number() {
        m_order.assign(std::size_t(m_exit) + 1, -1);
        m_sequence.clear();
        // Depth first from the exit, without recursion.
        std::vector<std::pair<int, std::size_t>> stack{{m_exit, 0}};
        std::vector<char> seen(std::size_t(m_exit) + 1, 0);
        seen[std::size_t(m_exit)] = 1;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            const auto& predecessors = m_predecessors[std::size_t(node)];
            if (next < predecessors.size()) {
                const int p = predecessors[next++];
                if (!seen[std::size_t(p)]) {
                    seen[std::size_t(p)] = 1;
                    stack.emplace_back(p, 0);
                }
            } else {
                m_order[std::size_t(node)] = int(m_sequence.size());
                m_sequence.push_back(node);
                stack.pop_back();
            }
        }
    }

    int meet(int a, int b) const {
        while (a != b) {
            while (m_order[std::size_t(a)] < m_order[std::size_t(b)])
                a = m_dominator[std::size_t(a)];
            while (m_order[std::size_t(b)] < m_order[std::size_t(a)])
                b = m_dominator[std::size_t(b)];
        }
        return a;
    }

    void iterate() {
        m_dominator.assign(std::size_t(m_exit) + 1, -1);
        m_dominator[std::size_t(m_exit)] = m_exit;
        for (bool changed = true; changed;) {
            changed = false;
            for (auto it = m_sequence.rbegin(); it != m_sequence.rend(); ++it) {
                const int b = *it;
                if (b == m_exit) continue;
                int d = -1;
                const auto consider = [&](int s) {
                    if (m_dominator[std::size_t(s)] >= 0) d = d < 0 ? s : meet(d, s);
                };
                const auto& successors = m_flow.blocks[std::size_t(b)].successors;
                for (int s : successors)
                    consider(s);
                if (successors.empty() || std::find(m_extra.begin(), m_extra.end(), b) != m_extra.end())
                    consider(m_exit);
                if (d != m_dominator[std::size_t(b)]) {
                    m_dominator[std::size_t(b)] = d;
                    changed = true;
                }
            }
        }
    }

    Flow& m_flow;
    int m_exit;
    std::vector<std::vector<int>> m_predecessors;
    std::vector<int> m_order, m_sequence, m_dominator, m_extra;
};

} // namespace

std::uint32_t labelTarget(const ptx::Function& f, std::string_view label, int textLine) {
    // Of several of one name the one in the narrowest braces around the line.
    const ptx::Label* found = nullptr;
    for (const ptx::Label& l : f.labels) {
        if (l.name != label || textLine < l.firstLine || textLine > l.lastLine) continue;
        if (!found || l.lastLine - l.firstLine < found->lastLine - found->firstLine) found = &l;
    }
    if (found) return found->instruction;
    throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: there is no label {}.", textLine, label)};
}

Flow analyseFlow(const ptx::Function& f) {
    const std::uint32_t n = std::uint32_t(f.instructions.size());
    std::vector<char> leader(n + 1, 0);
    leader[0] = 1;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (!endsBlock(f.instructions[i])) continue;
        leader[i + 1] = 1;
        for (std::uint32_t t : targets(f, f.instructions[i]))
            leader[t] = 1;
    }
    Flow flow;
    flow.blockOf.assign(n + 1, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (leader[i]) flow.blocks.push_back({i, 0, {}, Flow::none, false});
        ++flow.blocks.back().count;
        flow.blockOf[i] = int(flow.blocks.size()) - 1;
    }
    // A label at the very end gets a block of its own, where the function returns.
    flow.blocks.push_back({n, 0, {}, Flow::none, false});
    flow.blockOf[n] = int(flow.blocks.size()) - 1;
    for (std::size_t b = 0; b + 1 < flow.blocks.size(); ++b) {
        Flow::Block& block = flow.blocks[b];
        const ptx::Instruction& last = f.instructions[block.first + block.count - 1];
        const bool falls = !endsBlock(last) || last.predicate >= 0;
        for (std::uint32_t t : targets(f, last))
            block.successors.push_back(flow.blockOf[t]);
        if (falls) block.successors.push_back(int(b) + 1);
    }
    PostDominators(flow).run();
    for (const Flow::Block& b : flow.blocks) {
        const bool skips = b.count > 0 && isSkippable(f.instructions[b.first + b.count - 1]);
        if ((b.successors.size() > 1 || skips) && b.postDominator != Flow::none)
            flow.blocks[std::size_t(b.postDominator)].isReconvergence = true;
    }
    return flow;
}

} // namespace kernelarium::emulator
