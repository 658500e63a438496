// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/ProductFlow.h"

#include "gpu/emulator/decode/RegisterTypes.h"

#include <algorithm>
#include <set>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using Kind = ProductMistake::Kind;

constexpr std::uint8_t oldest = 15; ///< of a group; wgmma.wait_group names fewer

template <class F> void eachRegister(const Operand& o, F f) {
    if (o.reg >= 0) f(o);
    for (const Operand& item : o.items)
        eachRegister(item, f);
}

bool isWarpgroup(const Instruction& i, std::string_view what) {
    return i.opcode == "wgmma" && i.has(what);
}

bool isCopy(const Instruction& i) {
    return i.opcode == "mov" && i.operands.size() == 2;
}

/// All that an instruction reads: every register but those of the operand that it writes.
std::vector<const Operand*> readOperands(const Instruction& i) {
    std::vector<const Operand*> found;
    const std::vector<const Operand*> written = writtenOperands(i);
    for (const Operand& o : i.operands)
        eachRegister(o, [&](const Operand& r) {
            if (std::find(written.begin(), written.end(), &r) == written.end()) found.push_back(&r);
        });
    return found;
}

template <class T> bool joinEach(std::vector<T>& mine, const std::vector<T>& others, bool (*join)(T&, const T&)) {
    bool changed = false;
    for (std::size_t k = 0; k < mine.size(); ++k)
        changed |= join(mine[k], others[k]);
    return changed;
}

} // namespace

bool ProductFlow::Flight::join(const Flight& o) {
    const bool takes = !o.isOver() && (isOver() || o.age < age || (o.age == age && o.product < product));
    if (takes) *this = o;
    return takes;
}

bool ProductFlow::State::join(const State& o) {
    if (!isReached) {
        *this = o;
        return true;
    }
    bool changed = !isUnfenced && o.isUnfenced;
    isUnfenced |= o.isUnfenced;
    const auto flight = [](Flight& a, const Flight& b) { return a.join(b); };
    changed |= joinEach<Flight>(sums, o.sums, flight);
    changed |= joinEach<Flight>(factors, o.factors, flight);
    changed |= joinEach<std::int32_t>(touched, o.touched, [](std::int32_t& a, const std::int32_t& b) {
        const bool takes = b >= 0 && (a < 0 || b < a);
        if (takes) a = b;
        return takes;
    });
    return changed;
}

ProductFlow::ProductFlow(const ptx::Function& function)
    : m_function(function)
    , m_flow(analyseFlow(function))
    , m_places(function.registers.size(), -1) {
    for (const Instruction& i : function.instructions)
        if (isWarpgroup(i, "mma_async") && i.operands.size() > 1)
            for (const Operand* o : {&i.operands[0], &i.operands[1]})
                if (o->kind == OperandKind::vector)
                    eachRegister(*o, [&](const Operand& r) { m_places[std::size_t(r.reg)] = 0; });
    std::size_t before = 0;
    do {
        before = std::size_t(std::count(m_places.begin(), m_places.end(), 0));
        for (const Instruction& i : function.instructions)
            if (isCopy(i)) follow(i);
    } while (std::size_t(std::count(m_places.begin(), m_places.end(), 0)) != before);
    for (int& place : m_places)
        if (place == 0) place = int(m_count++);
}

/// What is copied to a register that is followed, or from one, is followed.
void ProductFlow::follow(const Instruction& i) {
    bool any = false;
    for (const Operand& o : i.operands)
        eachRegister(o, [&](const Operand& r) { any |= m_places[std::size_t(r.reg)] == 0; });
    if (!any) return;
    for (const Operand& o : i.operands)
        eachRegister(o, [&](const Operand& r) { m_places[std::size_t(r.reg)] = 0; });
}

int ProductFlow::placeOf(const Operand& o) const {
    return m_places[std::size_t(o.reg)];
}

std::vector<ProductMistake> ProductFlow::mistakes() {
    std::vector<State> begins(m_flow.blocks.size());
    begins[0] = {true, true, std::vector<Flight>(m_count), std::vector<Flight>(m_count),
                 std::vector<std::int32_t>(m_count, -1)};
    const auto through = [&](std::size_t block, const Report& report) {
        State s = begins[block];
        const Flow::Block& b = m_flow.blocks[block];
        for (std::uint32_t k = 0; k < b.count; ++k)
            step(s, std::int32_t(b.first + k), report);
        return s;
    };
    std::set<std::size_t> open{0};
    while (!open.empty()) {
        const std::size_t block = *open.begin();
        open.erase(open.begin());
        const State end = through(block, {});
        for (const int next : m_flow.blocks[block].successors)
            if (begins[std::size_t(next)].join(end)) open.insert(std::size_t(next));
    }
    std::vector<ProductMistake> found;
    for (std::size_t block = 0; block < begins.size(); ++block)
        if (begins[block].isReached) through(block, [&](const ProductMistake& m) { found.push_back(m); });
    return found;
}

void ProductFlow::step(State& s, std::int32_t at, const Report& report) const {
    const Instruction& i = m_function.instructions[std::size_t(at)];
    const bool isCertain = i.predicate < 0;
    if (i.opcode != "wgmma") {
        if (isCopy(i)) return stepCopy(s, i);
        return stepOther(s, at, report);
    }
    if (i.has("mma_async")) return stepProduct(s, at, report);
    const auto eachFlight = [&](auto f) {
        for (std::vector<Flight>* all : {&s.sums, &s.factors})
            for (Flight& flight : *all)
                if (!flight.isOver()) f(flight);
    };
    if (i.has("fence") && isCertain) {
        s.isUnfenced = false;
        std::fill(s.touched.begin(), s.touched.end(), -1);
    } else if (i.has("commit_group")) {
        eachFlight([](Flight& flight) { flight.age = std::min<std::uint8_t>(oldest, flight.age + 1); });
    } else if (i.has("wait_group") && isCertain && !i.operands.empty()) {
        const std::uint64_t most = i.operands[0].bits; // groups that may go on
        eachFlight([&](Flight& flight) {
            if (flight.age > most) flight = {};
        });
    }
}

void ProductFlow::stepProduct(State& s, std::int32_t at, const Report& report) const {
    const Instruction& i = m_function.instructions[std::size_t(at)];
    if (i.operands.size() < 2) return;
    if (report && s.isUnfenced) report({Kind::unfenced, at});
    if (i.operands[1].kind == OperandKind::vector)
        eachRegister(i.operands[1], [&](const Operand& r) {
            const auto place = std::size_t(placeOf(r));
            if (report && !s.sums[place].isOver())
                report({Kind::readsSum, at, s.sums[place].product, s.sums[place].age == 0});
            s.factors[place] = {at, 0};
        });
    eachRegister(i.operands[0], [&](const Operand& r) {
        const auto place = std::size_t(placeOf(r));
        if (report && !s.isUnfenced && s.touched[place] >= 0) report({Kind::unfencedSum, at, s.touched[place]});
        s.touched[place] = -1;
        s.sums[place] = {at, 0};
    });
    s.isUnfenced = false; // said once
}

/// A value that goes from one register to another: no access, as far as anybody can tell from what a compiler wrote.
void ProductFlow::stepCopy(State& s, const Instruction& i) const {
    Flight sum, factor;
    std::int32_t touched = -1;
    eachRegister(i.operands[1], [&](const Operand& r) {
        const int place = placeOf(r);
        if (place < 0) return;
        sum.join(s.sums[std::size_t(place)]);
        touched = std::max(touched, s.touched[std::size_t(place)]);
    });
    eachRegister(i.operands[0], [&](const Operand& r) {
        if (placeOf(r) < 0) return;
        const auto place = std::size_t(placeOf(r));
        if (i.predicate >= 0) {
            s.sums[place].join(sum);
            return;
        }
        s.sums[place] = sum;
        s.factors[place] = factor;
        s.touched[place] = touched;
    });
}

void ProductFlow::stepOther(State& s, std::int32_t at, const Report& report) const {
    const Instruction& i = m_function.instructions[std::size_t(at)];
    const std::vector<const Operand*> written = writtenOperands(i);
    if (report)
        for (const Operand* o : readOperands(i))
            if (const int place = placeOf(*o); place >= 0)
                if (const Flight& sum = s.sums[std::size_t(place)]; !sum.isOver())
                    report({Kind::readsSum, at, sum.product, sum.age == 0});
    for (const Operand* o : written) {
        if (placeOf(*o) < 0) continue;
        const auto place = std::size_t(placeOf(*o));
        const Flight sum = s.sums[place], factor = s.factors[place];
        if (report && !sum.isOver()) report({Kind::changesSum, at, sum.product, sum.age == 0});
        if (report && !factor.isOver()) report({Kind::changesFactor, at, factor.product, factor.age == 0});
        s.sums[place] = s.factors[place] = {};
        s.touched[place] = at;
    }
}

} // namespace kernelarium::emulator
