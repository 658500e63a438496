// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/HiddenInputs.h"

#include "gpu/emulator/code/CalledFunctions.h"

#include <algorithm>
#include <map>
#include <optional>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using verify::HiddenInput;
using InputKind = HiddenInput::Kind;

template <class F> void eachOperand(const Operand& o, F f) {
    f(o);
    for (const Operand& item : o.items)
        eachOperand(item, f);
}

std::optional<InputKind> kindOfRegister(std::string_view name) {
    if (name.starts_with("%clock") || name.starts_with("%globaltimer")) return InputKind::clock;
    static constexpr std::string_view places[] = {"%smid", "%nsmid", "%warpid", "%nwarpid", "%gridid"};
    if (std::find(std::begin(places), std::end(places), name) != std::end(places)) return InputKind::place;
    return std::nullopt;
}

/// libcu++ looks at the clock to give up the processor while it waits: nothing that is computed hangs on it.
bool isLibraryWaiting(const ptx::Module& module, int location) {
    static constexpr std::string_view waiting[] = {"barrier", "semaphore", "pipeline", "latch",
                                                   "atomic",  "poll",      "wait",     "__thread"};
    for (int depth = 0; location >= 0 && depth < 64; ++depth) {
        const ptx::Location& l = module.locations[std::size_t(location)];
        for (const ptx::SourceFile& f : module.files)
            if (f.number == l.file && f.path.find("/cuda/") != std::string::npos)
                for (const std::string_view word : waiting)
                    if (f.path.find(word, f.path.rfind("/cuda/")) != std::string::npos) return true;
        location = l.inlinedAt;
    }
    return false;
}

/// Which registers hold an address, and which a number made of one.
class AddressFlow {
public:
    explicit AddressFlow(const ptx::Function& function)
        : m_all(function.instructions)
        , m_of(function.registers.size(), None) {
        markRoots(function.registers.size());
        while (passOn()) {
        }
    }

    /// The instruction that decides by the bits of an address; null where none does.
    [[nodiscard]] const Instruction* deciding() const {
        for (const Instruction& i : m_all) {
            if (i.opcode == "setp" && i.operands.size() > 2) {
                const Meaning a = meaningOf(i.operands[1]), b = meaningOf(i.operands[2]);
                if (a == Number || b == Number) return &i;
                const Operand& other = a == Address ? i.operands[2] : i.operands[1];
                const bool one = (a == Address) != (b == Address);
                if (one && other.kind == OperandKind::integer && other.bits > lowBits) return &i;
            }
            if (i.opcode == "st" && i.operands.size() > 1 && meaningOf(i.operands[1]) == Number) return &i;
        }
        return nullptr;
    }

private:
    enum Meaning : std::uint8_t { None, Address, Number };
    static constexpr std::uint64_t lowBits = 0xfff; ///< alignment, within a page

    void markRoots(std::size_t registers) {
        std::vector<const Instruction*> setter(registers, nullptr);
        for (const Instruction& i : m_all)
            if (i.opcode == "ld" && i.has("param") && !i.operands.empty() && i.operands[0].kind == OperandKind::reg)
                setter[std::size_t(i.operands[0].reg)] = &i;
        for (const Instruction& i : m_all) {
            if (i.opcode != "cvta" || !i.has("to") || i.has("shared") || i.has("local") || i.operands.size() < 2)
                continue;
            const Operand& from = i.operands[1];
            if (from.kind != OperandKind::reg || !setter[std::size_t(from.reg)]) continue;
            m_of[std::size_t(from.reg)] = Address;
        }
    }

    [[nodiscard]] Meaning meaningOf(const Operand& o) const {
        Meaning most = None;
        eachOperand(o, [&](const Operand& part) {
            if (part.kind == OperandKind::reg) most = std::max(most, m_of[std::size_t(part.reg)]);
        });
        return most;
    }

    [[nodiscard]] Meaning ofMask(const Instruction& i) const {
        const Operand& a = i.operands[1];
        const Operand& b = i.operands[2];
        const Meaning most = std::max(meaningOf(a), meaningOf(b));
        if (most != Address) return most;
        const Operand& mask = a.kind == OperandKind::integer ? a : b;
        if (mask.kind != OperandKind::integer) return Number;
        if (mask.bits <= lowBits) return None;
        return ~mask.bits <= lowBits || std::uint32_t(~mask.bits) <= lowBits ? Address : Number;
    }

    [[nodiscard]] Meaning resultOf(const Instruction& i) const {
        Meaning most = None;
        int addresses = 0;
        for (std::size_t k = 1; k < i.operands.size(); ++k) {
            const Meaning m = meaningOf(i.operands[k]);
            most = std::max(most, m);
            addresses += m == Address;
        }
        if (most != Address) return most;
        if (i.opcode == "and") return ofMask(i);
        if (i.opcode == "sub" && addresses == 2) return None; // how far apart
        if (i.opcode == "mad") return meaningOf(i.operands.back()) == Address && addresses == 1 ? Address : Number;
        if (i.opcode == "cvt") // to fewer bits: perhaps for the alignment
            return std::any_of(i.modifiers.begin(), i.modifiers.end(), [](std::string_view m) { return m[0] == 'f'; })
                       ? Number
                       : Address;
        static constexpr std::string_view keeping[] = {"mov", "cvta", "add", "sub", "or", "xor", "selp", "min", "max"};
        return std::find(std::begin(keeping), std::end(keeping), i.opcode) != std::end(keeping) ? Address : Number;
    }

    bool passOn() {
        static constexpr std::string_view silent[] = {"ld",   "ldu",  "st",   "atom", "red", "setp",     "bra",
                                                      "call", "shfl", "vote", "bar",  "ret", "prefetch", "cp"};
        bool more = false;
        for (const Instruction& i : m_all) {
            if (i.operands.size() < 2 || i.operands[0].kind != OperandKind::reg) continue;
            if (std::find(std::begin(silent), std::end(silent), i.opcode) != std::end(silent)) continue;
            Meaning& known = m_of[std::size_t(i.operands[0].reg)];
            const Meaning result = resultOf(i);
            more |= result > known;
            known = std::max(known, result);
        }
        return more;
    }

    const std::vector<Instruction>& m_all;
    std::vector<Meaning> m_of;
};

/// What one function reads by itself, and what it calls.
using Seen = std::map<InputKind, HiddenInput>;

Seen lookAt(const ptx::Module& module, const ptx::Function& function) {
    Seen seen;
    for (const Instruction& i : function.instructions) {
        for (const Operand& operand : i.operands)
            eachOperand(operand, [&](const Operand& o) {
                const auto kind = o.kind == OperandKind::special ? kindOfRegister(o.name) : std::nullopt;
                if (!kind || (*kind == InputKind::clock && isLibraryWaiting(module, i.location))) return;
                seen.try_emplace(*kind, HiddenInput{*kind, {}, std::string(o.name), module.userLine(i.location)});
            });
    }
    if (!function.isKernel) return seen;
    if (const Instruction* i = AddressFlow(function).deciding())
        seen.try_emplace(InputKind::address, HiddenInput{InputKind::address, {}, {}, module.userLine(i->location)});
    return seen;
}

} // namespace

std::vector<HiddenInput> hiddenInputs(const ptx::Module& module) {
    std::map<const ptx::Function*, Seen> all;
    for (const ptx::Function& f : module.functions)
        if (f.isDefined) all[&f] = lookAt(module, f);
    std::vector<HiddenInput> found;
    for (const ptx::Function& kernel : module.functions) {
        if (!kernel.isKernel || !kernel.isDefined) continue;
        Seen inputs;
        for (const ptx::Function* f : calledFrom(module, kernel))
            inputs.insert(all[f].begin(), all[f].end());
        for (auto& [kind, input] : inputs) {
            input.kernel = std::string(kernel.name);
            found.push_back(input);
        }
    }
    return found;
}

} // namespace kernelarium::emulator
