// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/CountingVariables.h"

#include <algorithm>
#include <map>
#include <set>

namespace kernelarium::emulator {

namespace {

using ptx::OperandKind;
using Bits = std::uint64_t;

template <class F> void eachPart(const ptx::Operand& o, F f) {
    f(o);
    for (const ptx::Operand& item : o.items)
        eachPart(item, f);
}

/// What a function does with up to 64 variables; bit k is for the k-th.
class VariableUse {
public:
    VariableUse(const ptx::Function& function, const std::map<std::string_view, Bits>& bits)
        : m_all(function.instructions)
        , m_bits(bits)
        , m_address(function.registers.size(), 0)
        , m_value(function.registers.size(), 0) {
        while (passOn()) {
        }
        for (const ptx::Instruction& i : m_all)
            if (i.opcode == "bra" && i.predicate >= 0) m_deciding |= m_value[std::size_t(i.predicate)];
        for (const ptx::Instruction& i : m_all)
            note(i);
    }
    Bits changed = 0, set = 0, named = 0;

private:
    [[nodiscard]] Bits addressIn(const ptx::Operand& o) const {
        Bits bits = 0;
        eachPart(o, [&](const ptx::Operand& part) {
            if (part.reg >= 0) bits |= m_address[std::size_t(part.reg)];
            const auto found = part.reg < 0 ? m_bits.find(part.name) : m_bits.end();
            if (found != m_bits.end()) bits |= found->second;
        });
        return bits;
    }
    [[nodiscard]] Bits valueIn(const ptx::Operand& o) const {
        Bits bits = 0;
        eachPart(o, [&](const ptx::Operand& part) {
            if (part.kind == OperandKind::reg) bits |= m_value[std::size_t(part.reg)];
        });
        return bits;
    }
    bool passOn() {
        bool more = false;
        const auto add = [&](std::vector<Bits>& known, const ptx::Operand& to, Bits bits) {
            eachPart(to, [&](const ptx::Operand& part) {
                if (part.kind != OperandKind::reg) return;
                Bits& at = known[std::size_t(part.reg)];
                more |= (bits & ~at) != 0;
                at |= bits;
            });
        };
        for (const ptx::Instruction& i : m_all) {
            if (i.operands.size() < 2 || i.opcode == "st" || i.opcode == "red") continue;
            if (i.opcode == "ld" || i.opcode == "ldu" || i.opcode == "atom") {
                add(m_value, i.operands[0], addressIn(i.operands[1]));
                continue;
            }
            Bits values = i.predicate >= 0 ? m_value[std::size_t(i.predicate)] : 0, addresses = 0;
            for (std::size_t k = 1; k < i.operands.size(); ++k) {
                values |= valueIn(i.operands[k]);
                addresses |= addressIn(i.operands[k]);
            }
            add(m_value, i.operands[0], values);
            if (i.opcode == "mov" || i.opcode == "cvta" || i.opcode == "add" || i.opcode == "mad" || i.opcode == "selp")
                add(m_address, i.operands[0], addresses);
        }
        return more;
    }
    void note(const ptx::Instruction& i) {
        for (const ptx::Operand& o : i.operands)
            named |= addressIn(o);
        if (i.operands.size() < 2) return;
        if (i.opcode == "st") {
            const Bits to = addressIn(i.operands[0]);
            const Bits own = valueIn(i.operands[1]) | m_deciding;
            changed |= to & own;
            set |= to & ~own;
        } else if (i.opcode == "atom" || i.opcode == "red") {
            const Bits to = addressIn(i.operands[i.opcode == "atom" ? 1 : 0]);
            (i.has("exch") ? set : changed) |= to;
        }
    }

    const std::vector<ptx::Instruction>& m_all;
    const std::map<std::string_view, Bits>& m_bits;
    std::vector<Bits> m_address, m_value; ///< by register
    Bits m_deciding = 0;
};

std::set<std::string_view> calledByKernels(const ptx::Module& module) {
    std::map<std::string_view, const ptx::Function*> defined;
    std::vector<const ptx::Function*> open;
    for (const ptx::Function& f : module.functions) {
        if (!f.isDefined) continue;
        defined[f.name] = &f;
        if (f.isKernel) open.push_back(&f);
    }
    std::set<std::string_view> reached;
    while (!open.empty()) {
        const ptx::Function* f = open.back();
        open.pop_back();
        if (!reached.insert(f->name).second) continue;
        for (const ptx::Instruction& i : f->instructions)
            if (i.opcode == "call")
                for (const ptx::Operand& o : i.operands)
                    if (const auto callee = defined.find(o.name); callee != defined.end())
                        open.push_back(callee->second);
    }
    return reached;
}

} // namespace

std::vector<std::string> countingVariables(const ptx::Module& module) {
    const std::set<std::string_view> device = calledByKernels(module);
    std::vector<std::string> found;
    std::vector<std::string_view> names;
    for (const ptx::Variable& v : module.variables)
        if (v.space == ptx::Space::global && v.bytes > 0 && !v.isExtern) names.push_back(v.name);
    for (std::size_t first = 0; first < names.size(); first += 64) {
        std::map<std::string_view, Bits> bits;
        for (std::size_t k = first; k < std::min(names.size(), first + 64); ++k)
            bits[names[k]] = Bits(1) << (k - first);
        Bits changed = 0, others = 0;
        for (const ptx::Function& f : module.functions) {
            if (!f.isDefined) continue;
            const VariableUse use(f, bits);
            if (device.contains(f.name)) {
                changed |= use.changed;
                others |= use.set;
            } else {
                others |= use.named;
            }
        }
        for (const auto& [name, bit] : bits)
            if (changed & ~others & bit) found.emplace_back(name);
    }
    return found;
}

} // namespace kernelarium::emulator
