// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Blocks.h"

#include <algorithm>
#include <map>
#include <set>

namespace kernelarium::sass {

namespace {

bool endsBlock(const Instruction& one) {
    return one.fence == Fence::controlFlow && one.mnemonic != "YIELD" && one.mnemonic != "BPT";
}

/// May an instruction be passed by at least one thread? A branch without a condition is not.
bool fallsThrough(const Instruction& one) {
    const bool conditional =
        one.isGuarded() || std::any_of(one.operands.begin(), one.operands.end(), [](const Operand& operand) {
            return operand.kind == Operand::Kind::predicate && (operand.index != 7 || operand.negated);
        });
    if (one.mnemonic == "BRA") return conditional || one.operation == 0x1947;
    if (one.mnemonic == "EXIT" || isReturn(one)) return conditional;
    if (one.mnemonic == "BRX") return false;
    return !isCall(one) || one.isGuarded() || !one.target; // a call to the outside comes back
}

/// The number of the instruction at a place; -1 outside of the code, wherever a file says that it goes on.
int indexAt(std::int64_t place, int count) {
    const std::int64_t index = place / std::int64_t(instructionBytes);
    return place < 0 || index >= count ? -1 : int(index);
}

/// A subroutine returns to behind the calls of its own entry, not of another's: what is under way at its end is waited
/// for there. Its blocks are those that its entry leads to; a call within it comes back to behind itself.
void addReturns(const std::vector<Instruction>& code, std::vector<Block>& blocks, const std::map<int, int>& blockAt) {
    std::map<int, std::vector<int>> callsOf; // entry: blocks behind its calls
    const auto behind = [&](std::size_t b) { return b + 1 < blocks.size() ? int(b + 1) : -1; };
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Instruction& end = code[std::size_t(blocks[b].last)];
        if (!isCall(end) || !end.target || behind(b) < 0) continue;
        const auto entry = blockAt.find(indexAt(*end.target, int(code.size())));
        if (entry != blockAt.end()) callsOf[entry->second].push_back(behind(b));
    }
    std::vector<std::set<int>> returns(blocks.size());
    for (const auto& [entry, places] : callsOf) {
        std::set<int> seen{entry};
        std::vector<int> work{entry};
        const auto reach = [&](int next) {
            if (next >= 0 && seen.insert(next).second) work.push_back(next);
        };
        while (!work.empty()) {
            const auto b = std::size_t(work.back());
            work.pop_back();
            const Instruction& end = code[std::size_t(blocks[b].last)];
            if (isReturn(end)) returns[b].insert(places.begin(), places.end());
            if (isCall(end))
                reach(behind(b));
            else
                for (const int next : blocks[b].successors)
                    reach(next);
        }
    }
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (const int next : returns[b])
            if (std::find(blocks[b].successors.begin(), blocks[b].successors.end(), next) == blocks[b].successors.end())
                blocks[b].successors.push_back(next);
}

} // namespace

bool isCall(const Instruction& one) {
    return one.mnemonic.substr(0, 4) == "CALL";
}
bool isReturn(const Instruction& one) {
    return one.mnemonic.substr(0, 3) == "RET";
}

std::vector<Block> blocksOf(const std::vector<Instruction>& code) {
    const int count = int(code.size());
    std::vector<Block> blocks;
    if (count == 0) return blocks;
    std::set<int> leaders{0};
    const auto indexOf = [&](std::int64_t place) { return indexAt(place, count); };
    for (int i = 0; i < count; ++i) {
        const Instruction& one = code[std::size_t(i)];
        if (one.target && indexOf(*one.target) >= 0) leaders.insert(indexOf(*one.target));
        if (endsBlock(one) && i + 1 < count) leaders.insert(i + 1);
    }
    // A jump through a table goes to any place but the prologue, unless something else goes back there, too.
    const bool isEntryTarget =
        std::any_of(code.begin(), code.end(), [](const Instruction& one) { return one.target && *one.target == 0; });
    std::map<int, int> blockAt;
    for (auto it = leaders.begin(); it != leaders.end(); ++it) {
        const auto next = std::next(it);
        blockAt[*it] = int(blocks.size());
        blocks.push_back({*it, (next == leaders.end() ? count : *next) - 1, {}});
    }
    for (Block& block : blocks) {
        const Instruction& end = code[std::size_t(block.last)];
        std::set<int> next;
        if (end.target && blockAt.count(indexOf(*end.target)) && end.mnemonic != "BSSY")
            next.insert(indexOf(*end.target));
        if (end.mnemonic == "BRX")
            next.insert(isEntryTarget ? leaders.begin() : std::next(leaders.begin()), leaders.end());
        if (block.last + 1 < count && (!endsBlock(end) || fallsThrough(end))) next.insert(block.last + 1);
        for (const int target : next)
            block.successors.push_back(blockAt[target]);
    }
    addReturns(code, blocks, blockAt);
    return blocks;
}

} // namespace kernelarium::sass
