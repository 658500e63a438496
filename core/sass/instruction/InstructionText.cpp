// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/InstructionText.h"

#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::sass {

namespace {

std::string hex(std::int64_t value) {
    return value < 0 ? fmt::format("-{:#x}", std::uint64_t(0) - std::uint64_t(value)) : fmt::format("{:#x}", value);
}

std::string number(double value) {
    if (std::isnan(value)) return "+QNAN";
    if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
    return fmt::format("{:.9g}", value);
}

std::string specialName(std::int64_t value) {
    static constexpr std::array<const char*, 16> indices = {
        "SR_TID",     "SR_TID.X",   "SR_TID.Y",          "SR_TID.Z", "SR_CTA_PARAM",
        "SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z",        "SR_NTID",  "SR_CirQueueIncrMinusOne",
        "SR_NLATC",   "SR_43",      "SR_SM_SPA_VERSION", "SR_2d",    "SR_LWINLO",
        "SR_SWINLO"};
    if (value >= 0x20 && value < 0x30) return indices[std::size_t(value - 0x20)];
    switch (value) {
    case 0: return "SR_LANEID";
    case 2: return "SR_VIRTCFG";
    case 3: return "SR_VIRTID";
    case 0x38: return "SR_EQMASK";
    case 0x39: return "SR_LTMASK";
    case 0x3a: return "SR_LEMASK";
    case 0x3b: return "SR_GTMASK";
    case 0x3c: return "SR_GEMASK";
    case 0x50: return "SR_CLOCKLO";
    case 0x51: return "SR_CLOCKHI";
    case 0x52: return "SR_GLOBALTIMERLO";
    case 0x53: return "SR_GLOBALTIMERHI";
    case 0x88: return "SR_CgaCtaId";
    case 0xff: return "SRZ";
    default: return fmt::format("SR_{:02x}", value);
    }
}

std::string addressText(const Operand& operand) {
    std::string inside;
    if (operand.index != constantIndex(RegisterFile::general) || operand.wide)
        inside = registerName(RegisterFile::general, operand.index) + (operand.wide ? ".64" : "");
    const auto plus = [&](const std::string& more) { inside += inside.empty() ? more : "+" + more; };
    if (operand.uniform >= 0 && operand.uniform != constantIndex(RegisterFile::uniform))
        plus(registerName(RegisterFile::uniform, operand.uniform));
    if (operand.value != 0) plus(hex(operand.value));
    if (inside.empty()) inside = "RZ";
    const std::string place = "[" + inside + "]";
    if (operand.descriptor < 0) return place;
    return "desc[" + registerName(RegisterFile::uniform, operand.descriptor) + "]" + place;
}

std::string constantText(const Operand& operand, bool indexed) {
    std::string offset = hex(operand.value);
    if (indexed && operand.index != constantIndex(RegisterFile::general))
        offset = registerName(RegisterFile::general, operand.index) + (operand.value ? "+" + offset : "");
    if (operand.bank >= 0 && operand.uniform >= 0)
        offset = registerName(RegisterFile::uniform, operand.uniform) + (operand.value ? "+" + offset : "");
    if (operand.bank < 0) return "cx[" + registerName(RegisterFile::uniform, operand.uniform) + "][" + offset + "]";
    return fmt::format("c[{:#x}][{}]", operand.bank, offset);
}

std::string plainText(const Instruction& instruction, const Operand& operand, bool isReused) {
    using Kind = Operand::Kind;
    switch (operand.kind) {
    case Kind::general: return registerName(RegisterFile::general, operand.index) + (isReused ? ".reuse" : "");
    case Kind::uniform: return registerName(RegisterFile::uniform, operand.index);
    case Kind::predicate: return registerName(RegisterFile::predicate, operand.index);
    case Kind::uniformPredicate: return registerName(RegisterFile::uniformPredicate, operand.index);
    case Kind::immediate: return hex(operand.value);
    case Kind::floatBits: return number(double(std::bit_cast<float>(std::uint32_t(operand.value))));
    case Kind::doubleBits: return number(std::bit_cast<double>(std::uint64_t(operand.value) << 32));
    case Kind::halfBits: return fmt::format("{:#010x}", operand.value);
    case Kind::constant: return constantText(operand, instruction.mnemonic == "LDC");
    case Kind::address: return addressText(operand);
    case Kind::target: return hex(operand.value);
    case Kind::special: return specialName(operand.value);
    case Kind::scoreboard: return fmt::format("SB{}", operand.value);
    case Kind::convergence: return fmt::format("B{}", operand.value);
    case Kind::word: return std::string(operand.named);
    }
    return {};
}

std::string operandText(const Instruction& instruction, const Operand& operand) {
    const bool isReused = operand.slot != 0 && (instruction.control.reuse >> (operand.slot - 'A') & 1) != 0;
    std::string out = plainText(instruction, operand, isReused);
    if (operand.absolute) out = "|" + out + "|";
    const bool isPredicate =
        operand.kind == Operand::Kind::predicate || operand.kind == Operand::Kind::uniformPredicate;
    if (operand.negated) out = (isPredicate ? "!" : "-") + out;
    return out;
}

} // namespace

std::string text(const Instruction& instruction) {
    std::string out;
    if (instruction.isGuarded())
        out = fmt::format(
            "@{}{} ", instruction.guardNegated ? "!" : "",
            registerName(instruction.hasUniformGuard ? RegisterFile::uniformPredicate : RegisterFile::predicate,
                         instruction.guard));
    if (!instruction.isKnown()) return out + fmt::format("?{:03x}", instruction.operation);
    out += std::string(instruction.mnemonic) + modifiers(instruction);
    const char* between = " ";
    for (const Operand& operand : instruction.operands) {
        if (operand.hidden) continue;
        out += between + operandText(instruction, operand);
        between = ", ";
    }
    return out;
}

} // namespace kernelarium::sass
