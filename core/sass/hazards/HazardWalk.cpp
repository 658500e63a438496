// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/HazardWalk.h"

#include <algorithm>
#include <array>

namespace kernelarium::sass {

namespace {

// Beyond these ages (cycles) nothing depends on a distance any more: no fixed latency is longer.
constexpr int oldestWrite = longestDistance, oldestRead = longestReadDistance, oldestBoard = 8;

template <class Entry, class Same> bool takeYounger(std::vector<Entry>& mine, const Entry& one, const Same& same) {
    const auto found = std::find_if(mine.begin(), mine.end(), [&](const Entry& other) { return same(one, other); });
    if (found == mine.end()) {
        mine.push_back(one);
        return true;
    }
    if (found->age <= one.age) return false;
    found->age = one.age;
    return true;
}

bool sameRecent(const HazardState::Recent& a, const HazardState::Recent& b) {
    return a.producer == b.producer && a.where == b.where;
}
bool sameBoard(const HazardState::Board& a, const HazardState::Board& b) {
    return a.producer == b.producer && a.number == b.number;
}

/// One walk; times are counted from the block's start, ages of the entry state are before it.
class Walk {
public:
    Walk(HazardState& state, const std::vector<Instruction>& code, const HazardVisitor* visitor)
        : m_state(state)
        , m_code(code)
        , m_visitor(visitor) {
        for (auto* list : {&m_state.written, &m_state.read})
            for (HazardState::Recent& one : *list)
                one.age = -one.age; // from here on: the time of the issue
        for (HazardState::Board& one : m_state.boards)
            one.age = -one.age;
        for (HazardState::Issued& one : m_state.pipes)
            one.age = -one.age;
    }

    void step(const Slot& slot) {
        const Instruction& i = m_code[std::size_t(slot.id)];
        wait(slot, i);
        const RegisterSet reads = trackedReads(i), writes = trackedWrites(i);
        if (m_visitor && m_visitor->met) check(slot, i, reads, writes);
        if (!i.neverRuns()) effect(slot, i, reads, writes);
        m_now += slot.control.stall;
    }

    void finish() {
        const auto age = [&](auto& list, int oldest) {
            for (auto& one : list)
                one.age = m_now - one.age;
            std::erase_if(list, [&](const auto& one) { return one.age >= oldest; });
        };
        age(m_state.written, oldestWrite);
        age(m_state.read, oldestRead);
        age(m_state.boards, oldestBoard);
        for (HazardState::Issued& one : m_state.pipes) {
            one.age = m_now - one.age;
            if (one.producer < 0 || one.age >= oldestWrite) one = {};
        }
    }

private:
    void wait(const Slot& slot, const Instruction& i) {
        unsigned waits = slot.control.waits;
        if (i.mnemonic == "DEPBAR") { // waits until at most so many are under way; none: the scoreboard is free
            waits |= unsigned(i.word.bits(32, 6));
            if (i.word.bits(38, 6) == 0) waits |= 1u << i.word.bits(44, 3);
        }
        if (waits == 0) return;
        if (m_visitor && m_visitor->met)
            for (const HazardState::Board& board : m_state.boards)
                if (waits >> board.number & 1)
                    m_visitor->met({Dependence::scoreboardAge,
                                    board.producer,
                                    slot.id,
                                    {},
                                    m_now - board.age,
                                    1u << board.number,
                                    IssuePipe::other});
        if (m_visitor && m_visitor->released)
            for (const HazardState::Pending& one : m_state.pending)
                if (one.release & waits) m_visitor->released(slot.id, waits, one);
        std::erase_if(m_state.pending, [&](const HazardState::Pending& one) { return (one.release & waits) != 0; });
    }

    void hazard(Dependence kind, const Slot& slot, const HazardState::Pending& one, const RegisterSet& common) {
        Observation met{kind, one.producer, slot.id, {}, 0, one.release, IssuePipe::other};
        met.where = common.list().front();
        m_visitor->met(met);
    }

    void check(const Slot& slot, const Instruction& i, const RegisterSet& reads, const RegisterSet& writes) {
        const Queue results = resultQueue(i), operands = operandQueue(i);
        for (const HazardState::Pending& one : m_state.pending) {
            if (one.isResult) {
                if (one.registers.meets(reads)) hazard(Dependence::resultUnderWay, slot, one, one.registers & reads);
                const bool inOrder = results != Queue::none && one.queue == results;
                if (!inOrder && one.registers.meets(writes))
                    hazard(Dependence::resultOverwritten, slot, one, one.registers & writes);
            } else if (one.registers.meets(writes) && !(operands != Queue::none && one.queue == operands)) {
                hazard(Dependence::operandOverwritten, slot, one, one.registers & writes);
            }
        }
        const auto distance = [&](Dependence kind, const HazardState::Recent& one) {
            m_visitor->met({kind, one.producer, slot.id, one.where, m_now - one.age, 0, IssuePipe::other});
        };
        for (const HazardState::Recent& one : m_state.written) {
            if (reads.contains(one.where)) distance(Dependence::readAfterWrite, one);
            if (writes.contains(one.where)) distance(Dependence::writeAfterWrite, one);
        }
        for (const HazardState::Recent& one : m_state.read)
            if (writes.contains(one.where)) distance(Dependence::writeAfterRead, one);
        const IssuePipe pipe = pipeOf(i);
        if (const HazardState::Issued& last = m_state.pipes[std::size_t(pipe)];
            pipe != IssuePipe::other && last.producer >= 0)
            m_visitor->met({Dependence::samePipe, last.producer, slot.id, {}, m_now - last.age, 0, pipe});
    }

    /// Fences keep their places, and who may come close to them does not matter; some have no pipe that is known.
    [[nodiscard]] static IssuePipe pipeOf(const Instruction& i) {
        return i.fence == Fence::none ? issuePipe(i) : IssuePipe::other;
    }

    /// Results and operands that go before `i` in its queue are done when it is: its scoreboards tell of them, too.
    void cover(const Slot& slot, const Instruction& i) {
        const auto bit = [](int number) { return number == noScoreboard ? 0u : 1u << number; };
        const unsigned result = bit(slot.control.writeBarrier), any = result | bit(slot.control.readBarrier);
        const Queue results = resultQueue(i), operands = operandQueue(i);
        for (HazardState::Pending& one : m_state.pending) {
            if (one.hasOwn) continue;
            if (one.isResult && results != Queue::none && one.queue == results) one.release |= result;
            if (!one.isResult && operands != Queue::none && one.queue == operands) one.release |= any;
        }
    }

    void forget(std::vector<HazardState::Recent>& list, const RegisterSet& registers) {
        std::erase_if(list, [&](const HazardState::Recent& one) { return registers.contains(one.where); });
    }

    void remember(std::vector<HazardState::Recent>& list, int producer, const RegisterSet& registers) {
        registers.each([&](Register where) {
            const auto found = std::find_if(list.begin(), list.end(), [&](const HazardState::Recent& one) {
                return one.producer == producer && one.where == where;
            });
            if (found != list.end())
                found->age = m_now;
            else
                list.push_back({producer, where, m_now});
        });
    }

    void pend(const Slot& slot, bool isResult, Queue queue, unsigned release, bool hasOwn,
              const RegisterSet& registers) {
        if (registers.isEmpty()) return;
        m_state.pending.push_back({slot.id, queue, release, isResult, hasOwn, registers});
    }

    void effect(const Slot& slot, const Instruction& i, const RegisterSet& reads, const RegisterSet& writes) {
        const auto bit = [](int number) { return number == noScoreboard ? 0u : 1u << number; };
        const unsigned result = bit(slot.control.writeBarrier), operand = bit(slot.control.readBarrier);
        if (const IssuePipe pipe = pipeOf(i); pipe != IssuePipe::other)
            m_state.pipes[std::size_t(pipe)] = {slot.id, m_now};
        if (!i.isVariable()) {
            if (!i.isGuarded() && !i.writesPartly) {
                forget(m_state.written, writes);
                forget(m_state.read, writes);
            }
            remember(m_state.written, slot.id, writes);
            remember(m_state.read, slot.id, reads);
        } else {
            cover(slot, i);
            const RegisterSet late = lateReads(i);
            pend(slot, true, resultQueue(i), result, result != 0, writes);
            pend(slot, false, operandQueue(i), operand | result, operand != 0, late);
            if (!i.isGuarded()) forget(m_state.written, writes);
            remember(m_state.read, slot.id, reads - late);
        }
        for (const int number : {slot.control.writeBarrier, slot.control.readBarrier}) {
            if (number == noScoreboard) continue;
            std::erase_if(m_state.boards, [&](const HazardState::Board& one) { return one.number == number; });
            m_state.boards.push_back({slot.id, number, m_now});
        }
    }

    HazardState& m_state;
    const std::vector<Instruction>& m_code;
    const HazardVisitor* m_visitor;
    int m_now = 0;
};

} // namespace

std::string_view name(Dependence kind) {
    switch (kind) {
    case Dependence::resultUnderWay: return "read before it is written";
    case Dependence::resultOverwritten: return "written while a result is under way";
    case Dependence::operandOverwritten: return "overwritten before it is read";
    case Dependence::readAfterWrite: return "read too soon after it is written";
    case Dependence::writeAfterWrite: return "written too soon after it is written";
    case Dependence::writeAfterRead: return "written too soon after it is read";
    case Dependence::samePipe: return "too close in one pipe";
    case Dependence::scoreboardAge: break;
    }
    return "waited for too soon after the scoreboard is set";
}

bool HazardState::merge(const HazardState& other) {
    bool more = false;
    for (const Pending& one : other.pending) {
        const auto found = std::find_if(pending.begin(), pending.end(), [&](const Pending& mine) {
            return mine.producer == one.producer && mine.isResult == one.isResult && mine.release == one.release &&
                   mine.hasOwn == one.hasOwn;
        });
        if (found == pending.end()) {
            pending.push_back(one);
            more = true;
        } else if (RegisterSet all = found->registers | one.registers; !(all == found->registers)) {
            found->registers = all;
            more = true;
        }
    }
    for (const Recent& one : other.written)
        more |= takeYounger(written, one, sameRecent);
    for (const Recent& one : other.read)
        more |= takeYounger(read, one, sameRecent);
    for (const Board& one : other.boards)
        more |= takeYounger(boards, one, sameBoard);
    for (std::size_t pipe = 0; pipe < pipes.size(); ++pipe) {
        const Issued& one = other.pipes[pipe];
        if (one.producer < 0 || (pipes[pipe].producer >= 0 && pipes[pipe].age <= one.age)) continue;
        pipes[pipe] = one;
        more = true;
    }
    return more;
}

void walk(HazardState& state, const std::vector<Instruction>& code, std::span<const Slot> slots,
          const HazardVisitor* visitor) {
    Walk one(state, code, visitor);
    for (const Slot& slot : slots)
        one.step(slot);
    one.finish();
}

Schedule scheduleOf(const std::vector<Instruction>& code) {
    Schedule schedule;
    for (std::size_t i = 0; i < code.size(); ++i)
        schedule.push_back({int(i), code[i].control});
    return schedule;
}

namespace {
std::span<const Slot> slotsOf(const Schedule& schedule, const Block& block) {
    return std::span(schedule).subspan(std::size_t(block.first), std::size_t(block.last - block.first + 1));
}
} // namespace

std::vector<std::optional<HazardState>> solve(const std::vector<Instruction>& code, const std::vector<Block>& blocks,
                                              const Schedule& schedule) {
    std::vector<std::optional<HazardState>> entries(blocks.size());
    if (blocks.empty()) return entries;
    entries[0] = HazardState();
    std::vector<int> work{0};
    while (!work.empty()) {
        const int b = work.back();
        work.pop_back();
        HazardState state = *entries[std::size_t(b)];
        walk(state, code, slotsOf(schedule, blocks[std::size_t(b)]));
        for (const int next : blocks[std::size_t(b)].successors) {
            std::optional<HazardState>& entry = entries[std::size_t(next)];
            const bool more = entry ? entry->merge(state) : true;
            if (!entry) entry = state;
            if (more && std::find(work.begin(), work.end(), next) == work.end()) work.push_back(next);
        }
    }
    return entries;
}

void observe(const std::vector<Instruction>& code, const std::vector<Block>& blocks, const Schedule& schedule,
             const HazardVisitor& visitor) {
    const std::vector<std::optional<HazardState>> entries = solve(code, blocks, schedule);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (!entries[b]) continue;
        HazardState state = *entries[b];
        walk(state, code, slotsOf(schedule, blocks[b]), &visitor);
    }
}

} // namespace kernelarium::sass
