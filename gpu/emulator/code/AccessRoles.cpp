// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/AccessRoles.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

/// A register or a symbol, and an offset.
using Address = std::tuple<int, std::string_view, std::int64_t>;

/// The accesses of one address; indices of instructions.
struct Place {
    std::vector<std::size_t> loads, stores, atomics;
    [[nodiscard]] bool matters() const { return !loads.empty() && !(stores.empty() && atomics.empty()); }
};

bool isLoad(const Instruction& i) {
    return i.opcode == "ld" || i.opcode == "ldu";
}
bool isAtomic(const Instruction& i) {
    return i.opcode == "atom" || i.opcode == "red";
}
bool isStrong(const Instruction& i) {
    return i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("release") || i.has("mmio");
}
bool isPrivate(const Instruction& i) {
    return i.has("param") || i.has("param::entry") || i.has("param::func") || i.has("local") || i.has("const") ||
           i.has("nc");
}
/// Whether the first operand is written.
bool hasDestination(const Instruction& i) {
    static constexpr std::string_view none[] = {"st",   "red", "bra",     "brx",    "ret",  "exit",
                                                "call", "bar", "barrier", "membar", "fence"};
    return std::find(std::begin(none), std::end(none), i.opcode) == std::end(none);
}

/// Calls f with each register of the operand; not with those of an address.
template <class F> void eachRegister(const Operand& o, F f) {
    if (o.kind == OperandKind::reg) f(o.reg);
    for (const Operand& item : o.items)
        eachRegister(item, f);
}

/// Values on their way through the registers of a function.
class ValueFlow {
public:
    explicit ValueFlow(const ptx::Function& function)
        : m_all(function.instructions)
        , m_setAt(function.registers.size(), never)
        , m_reached(function.registers.size(), 0) {
        for (std::size_t k = 0; k < m_all.size(); ++k)
            if (hasDestination(m_all[k]) && !m_all[k].operands.empty())
                eachRegister(m_all[k].operands[0], [&](int r) { noteSet(r, k); });
    }

    /// Where an address operand points, by the register that it was first made in.
    [[nodiscard]] Address addressOf(const Operand& o) const {
        Address a{o.reg, o.reg < 0 ? o.name : std::string_view(), o.offset};
        constexpr int longest = 16;
        for (int step = 0; step < longest && std::get<0>(a) >= 0; ++step) {
            const Instruction* i = onlySetter(std::get<0>(a));
            if (!i || i->predicate >= 0 || i->operands.size() < 2) break;
            const Operand& from = i->operands[1];
            if (i->opcode == "add" && i->operands.size() > 2 && from.kind == OperandKind::reg &&
                i->operands[2].kind == OperandKind::integer)
                a = {from.reg, {}, std::get<2>(a) + std::int64_t(i->operands[2].bits)};
            else if ((i->opcode == "mov" || i->opcode == "cvta") && from.kind == OperandKind::reg)
                a = {from.reg, {}, std::get<2>(a)};
            else if ((i->opcode == "mov" || i->opcode == "cvta") && from.kind == OperandKind::symbol)
                a = {-1, from.name, std::get<2>(a) + from.offset};
            else
                break;
        }
        return a;
    }

    /// Whether a stored value is the same whatever was loaded: a constant.
    [[nodiscard]] bool isConstant(const Operand& o) const {
        bool constant = true;
        eachRegister(o, [&](int r) {
            const Instruction* i = onlySetter(r);
            const bool moved = i && i->opcode == "mov" && i->operands.size() > 1 && i->predicate < 0;
            constant &= moved && i->operands[1].kind != OperandKind::reg && i->operands[1].kind != OperandKind::special;
        });
        return constant;
    }

    /// Follows what the loads of up to 64 places give; bit k is for places[k].
    void follow(const std::vector<const Place*>& places) {
        std::fill(m_reached.begin(), m_reached.end(), 0);
        m_decisions = 0;
        for (std::size_t k = 0; k < places.size(); ++k)
            for (std::size_t load : places[k]->loads)
                eachRegister(m_all[load].operands[0],
                             [&](int r) { m_reached[std::size_t(r)] |= std::uint64_t(1) << k; });
        while (passOn()) {
        }
        for (const Instruction& i : m_all)
            if (i.opcode == "bra" && i.predicate >= 0) m_decisions |= m_reached[std::size_t(i.predicate)];
    }
    [[nodiscard]] std::uint64_t reaching(const Operand& o) const {
        std::uint64_t bits = 0;
        eachRegister(o, [&](int r) { bits |= m_reached[std::size_t(r)]; });
        return bits;
    }
    /// What decides on branches, or on whether this instruction is executed.
    [[nodiscard]] std::uint64_t decidingOn(const Instruction& i) const {
        return m_decisions | (i.predicate >= 0 ? m_reached[std::size_t(i.predicate)] : 0);
    }

private:
    static constexpr int never = -1, often = -2;

    void noteSet(int r, std::size_t k) {
        int& at = m_setAt[std::size_t(r)];
        at = at == never ? int(k) : often;
    }
    [[nodiscard]] const Instruction* onlySetter(int r) const {
        const int at = m_setAt[std::size_t(r)];
        return at < 0 ? nullptr : &m_all[std::size_t(at)];
    }
    bool passOn() {
        bool more = false;
        for (const Instruction& i : m_all) {
            if (i.operands.size() < 2 || isLoad(i) || isAtomic(i) || !hasDestination(i)) continue;
            std::uint64_t bits = i.predicate >= 0 ? m_reached[std::size_t(i.predicate)] : 0;
            for (std::size_t k = 1; k < i.operands.size(); ++k)
                bits |= reaching(i.operands[k]);
            eachRegister(i.operands[0], [&](int r) {
                std::uint64_t& known = m_reached[std::size_t(r)];
                more |= (bits & ~known) != 0;
                known |= bits;
            });
        }
        return more;
    }

    const std::vector<Instruction>& m_all;
    std::vector<int> m_setAt;             ///< the one instruction that sets a register
    std::vector<std::uint64_t> m_reached; ///< by register
    std::uint64_t m_decisions = 0;
};

void assignRoles(const std::vector<const Place*>& places, const std::vector<Instruction>& all, ValueFlow& flow,
                 std::vector<AccessRole>& roles) {
    flow.follow(places);
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::uint64_t bit = std::uint64_t(1) << k;
        for (const std::size_t at : places[k]->stores) {
            const Instruction& store = all[at];
            const Operand& value = store.operands[1];
            const bool decided = !isStrong(store) && !flow.isConstant(value) && (flow.decidingOn(store) & bit);
            if ((flow.reaching(value) & bit) || decided) roles[at] = AccessRole::update;
        }
        const bool guards = std::any_of(places[k]->atomics.begin(), places[k]->atomics.end(), [&](std::size_t at) {
            std::uint64_t bits = flow.decidingOn(all[at]);
            for (const Operand& o : all[at].operands)
                bits |= flow.reaching(o);
            return (bits & bit) != 0;
        });
        if (guards)
            for (const std::size_t at : places[k]->loads)
                roles[at] = AccessRole::guard;
    }
}

} // namespace

std::vector<AccessRole> accessRoles(const ptx::Function& function) {
    const std::vector<Instruction>& all = function.instructions;
    std::vector<AccessRole> roles(all.size(), AccessRole::other);
    ValueFlow flow(function);
    std::map<Address, Place> places;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Instruction& i = all[k];
        const bool store = i.opcode == "st", atomic = isAtomic(i);
        if (atomic) roles[k] = AccessRole::atomic;
        if (i.opcode == "wgmma" && i.has("mma_async")) roles[k] = AccessRole::product;
        if (i.opcode == "cp" && i.has("bulk")) roles[k] = AccessRole::bulk;
        if (!(store || atomic || isLoad(i)) || i.operands.size() < 2 || isPrivate(i)) continue;
        const Operand& where = i.operands[store || i.opcode == "red" ? 0 : 1];
        if (where.kind != OperandKind::address) continue;
        Place& place = places[flow.addressOf(where)];
        (store ? place.stores : atomic ? place.atomics : place.loads).push_back(k);
    }
    std::vector<const Place*> some;
    for (const auto& [address, place] : places) {
        if (place.matters()) some.push_back(&place);
        if (some.size() < 64) continue;
        assignRoles(some, all, flow, roles);
        some.clear();
    }
    if (!some.empty()) assignRoles(some, all, flow, roles);
    return roles;
}

bool mayLock(const ptx::Function& function) {
    return std::any_of(function.instructions.begin(), function.instructions.end(),
                       [](const Instruction& i) { return isAtomic(i) && (i.has("cas") || i.has("exch")); });
}

} // namespace kernelarium::emulator
