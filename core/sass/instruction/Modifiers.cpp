// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"
#include "core/sass/instruction/InstructionText.h"

#include <array>
#include <bit>

namespace kernelarium::sass {

namespace {

template <std::size_t n> std::string pick(const std::array<const char*, n>& names, std::uint64_t index) {
    return index < n && *names[index] ? std::string(".") + names[index] : std::string();
}

constexpr std::array<const char*, 16> floatComparisons = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                                          "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
constexpr std::array<const char*, 8> comparisons = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
constexpr std::array<const char*, 3> combinations = {"AND", "OR", "XOR"};
constexpr std::array<const char*, 4> roundings = {"", "RM", "RP", "RZ"};
constexpr std::array<const char*, 8> sizes = {"U8", "S8", "U16", "S16", "", "64", "128", "U.128"};

std::string when(bool yes, const char* text) {
    return yes ? text : "";
}

std::string conversion(const Instruction& i) {
    static constexpr std::array<const char*, 4> floats = {"", "F16", "F32", "F64"},
                                                sizesOfInt = {"8", "16", "32", "64"};
    const auto bits = [&](unsigned first, unsigned count) { return i.word.bits(first, count); };
    const int kind = kindOf(i.operation);
    std::string out = when(bits(80, 1) != 0, ".FTZ");
    const auto whole = [&](bool isSigned, std::uint64_t size) {
        return std::string(isSigned ? ".S" : ".U") + sizesOfInt[size];
    };
    if (kind == 0x104 || kind == 0x110)
        return out + pick(floats, bits(75, 2)) + pick(floats, bits(84, 2)) + pick(roundings, bits(78, 2));
    if (kind == 0x105 || kind == 0x111) {
        static constexpr std::array<const char*, 4> truncations = {"", "FLOOR", "CEIL", "TRUNC"};
        return out + whole(bits(72, 1) != 0, bits(75, 2)) + when(bits(84, 2) != 2, pick(floats, bits(84, 2)).c_str()) +
               pick(truncations, bits(78, 2)) + when(bits(77, 1) != 0, ".NTZ");
    }
    if (kind == 0x106 || kind == 0x112)
        return when(bits(75, 2) != 2, pick(floats, bits(75, 2)).c_str()) +
               when(bits(84, 2) != 2 || bits(74, 1) == 0, whole(bits(74, 1) != 0, bits(84, 2)).c_str()) +
               pick(roundings, bits(78, 2));
    return out + when(bits(84, 2) == 3, ".F64") +
           pick(std::array<const char*, 4>{"", "FLOOR", "CEIL", "TRUNC"}, bits(78, 2));
}

std::string multiplyAdd(const Instruction& i) {
    const int kind = kindOf(i.operation);
    const std::string sign = when(!i.word.bit(73), ".U32");
    if (kind != 0x024) return sign;
    if (i.word.bit(74)) return ".X";
    const auto isZero = [&](char slot) {
        for (const Operand& operand : i.operands)
            if (operand.slot == slot) return operand.index == constantIndex(RegisterFile::general);
        return false;
    };
    const bool plain = i.operands.size() >= 4;
    if (plain && isZero('A') && isZero('B')) return ".MOV" + sign;
    const Operand* second = plain && i.operands[3].kind == Operand::Kind::immediate ? &i.operands[3] : nullptr;
    if (second && second->value == 1) return ".IADD";
    if (second && second->value > 0 && std::has_single_bit(std::uint64_t(second->value)) && isZero('C'))
        return ".SHL" + sign;
    return sign == ".U32" ? sign : "";
}

std::string memory(const Instruction& i) {
    static constexpr std::array<const char*, 4> shuffles = {"IDX", "UP", "DOWN", "BFLY"};
    const auto bits = [&](unsigned first, unsigned count) { return i.word.bits(first, count); };
    const std::string_view m = i.mnemonic;
    if (m == "SHFL") return pick(shuffles, bits(58, 2));
    if (m == "LDSM" || m == "STSM")
        return std::string(".16") + (bits(78, 2) == 1 ? ".MT88" : ".M88") +
               pick(std::array<const char*, 3>{"", "2", "4"}, bits(72, 2));
    const std::string wide = when(bits(72, 1) != 0, ".E");
    if (m == "LDGSTS") return std::string(".E") + when(bits(73, 3) == 6, ".BYPASS") + pick(sizes, bits(73, 3));
    if (m == "LDC" || m == "ULDC") return pick(sizes, bits(73, 3));
    static constexpr std::array<const char*, 3> unusual = {"EF", "", "EL"}; // EN (1) is the usual one
    const bool described = m == "LDG" || m == "STG" || m == "LD" || m == "ST";
    std::string out = described ? wide + pick(unusual, bits(84, 3)) : std::string();
    out += pick(sizes, bits(73, 3));
    if (i.access && i.access->order == Access::Order::constant) out += ".CONSTANT";
    if (described && i.access && i.access->order == Access::Order::strong && i.fence == Fence::strong &&
        bits(77, 4) != 0)
        out +=
            pick(std::array<const char*, 11>{"", "", "", "", "", "STRONG.SM", "", "STRONG.GPU", "", "", "STRONG.SYS"},
                 bits(77, 4));
    return out;
}

std::string atomic(const Instruction& i) {
    static constexpr std::array<const char*, 9> operations = {"ADD", "MIN", "MAX", "INC", "DEC",
                                                              "AND", "OR",  "XOR", "EXCH"};
    const int kind = kindOf(i.operation);
    std::string out = kind == 0x18c || kind == 0x18d ? "" : when(i.word.bit(72), ".E");
    if (kind == 0x18d || kind == 0x1a9 || kind == 0x18b) return out + ".CAS";
    if (kind == 0x1a3 || kind == 0x1a6) return out + ".ADD.FLOAT";
    const bool isReduction = kind == 0x18e; // without a result there is no exchange, and one bit less
    return out + pick(operations, i.word.bits(87, isReduction ? 3 : 4));
}

std::string logic(const Instruction& i) {
    const auto bits = [&](unsigned first, unsigned count) { return i.word.bits(first, count); };
    switch (kindOf(i.operation)) {
    case 0x012:
    case 0x092:
    case 0x01c:
    case 0x09c: return ".LUT";
    case 0x019:
    case 0x099: {
        static constexpr std::array<const char*, 4> types = {"S64", "U64", "S32", "U32"};
        return std::string(bits(76, 1) ? ".R" : ".L") + when(bits(75, 1) != 0, ".W") + pick(types, bits(73, 2)) +
               when(bits(80, 1) != 0, ".HI");
    }
    case 0x00c:
    case 0x08c:
        return pick(comparisons, bits(76, 3)) + when(bits(73, 1) == 0, ".U32") + pick(combinations, bits(74, 2)) +
               when(bits(72, 1) != 0, ".EX");
    case 0x00b:
    case 0x02a:
        return pick(floatComparisons, bits(76, 4)) + when(bits(80, 1) != 0 && kindOf(i.operation) == 0x00b, ".FTZ") +
               pick(combinations, bits(74, 2));
    case 0x00a: return ".BF" + pick(floatComparisons, bits(76, 4)) + pick(combinations, bits(74, 2));
    case 0x010:
    case 0x090:
    case 0x097: return when(bits(74, 1) != 0, ".X");
    case 0x011:
    case 0x091: return when(bits(80, 1) != 0, ".HI") + when(bits(74, 1) != 0, ".X") + when(bits(73, 1) != 0, ".SX32");
    case 0x017: return when(bits(73, 1) == 0, ".U32");
    case 0x01a: return when(bits(73, 1) == 0, ".U32");
    case 0x0a4: return when(bits(73, 1) == 0, ".U32") + when(bits(74, 1) != 0, ".X");
    case 0x0a5: return when(bits(73, 1) == 0, ".U32");
    case 0x100:
    case 0x0bd: return when(bits(73, 1) == 0, ".U32") + when(bits(74, 1) != 0, ".SH");
    default: return {};
    }
}

std::string floats(const Instruction& i) {
    const auto bits = [&](unsigned first, unsigned count) { return i.word.bits(first, count); };
    switch (kindOf(i.operation)) {
    case 0x020:
    case 0x021:
    case 0x023: return when(bits(80, 1) != 0, ".FTZ") + pick(roundings, bits(78, 2)) + when(bits(77, 1) != 0, ".SAT");
    case 0x028:
    case 0x029:
    case 0x02b: return pick(roundings, bits(78, 2));
    case 0x009: return when(bits(80, 1) != 0, ".FTZ") + when(bits(81, 1) != 0, ".NAN");
    case 0x108: {
        static constexpr std::array<const char*, 10> functions = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                                                  "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
        return pick(functions, bits(74, 6));
    }
    default: return {};
    }
}

std::string others(const Instruction& i) {
    const auto bits = [&](unsigned first, unsigned count) { return i.word.bits(first, count); };
    const std::string_view m = i.mnemonic;
    if (m == "VOTE" || m == "VOTEU") return pick(std::array<const char*, 3>{"ALL", "ANY", "EQ"}, bits(72, 2));
    if (m == "BMOV.32") return when(bits(84, 1) != 0, ".CLEAR");
    if (m == "DEPBAR") return when(bits(47, 1) != 0, ".LE");
    if (m == "BAR") {
        static constexpr std::array<const char*, 4> modes = {"SYNC", "ARV", "RED", "SCAN"};
        return pick(modes, bits(77, 3)) + when(bits(77, 3) == 0 && bits(80, 1) != 0, ".DEFER_BLOCKING");
    }
    if (m == "HMMA") {
        static constexpr std::array<const char*, 4> shapes = {"1688", "16816", "1684", "1688"};
        const auto size = bits(78, 1) << 1 | bits(75, 1);
        return pick(shapes, size) + (bits(76, 1) ? ".F32" : ".F16") +
               pick(std::array<const char*, 3>{"", "BF16", "TF32"}, bits(82, 2));
    }
    if (m == "HGMMA" || m == "QGMMA" || m == "IGMMA" || m == "BGMMA") return ".64x" + std::to_string(bits(53, 6) * 8);
    return {};
}

} // namespace

std::string modifiers(const Instruction& instruction) {
    const int kind = kindOf(instruction.operation);
    if (instruction.unit == Unit::multiply) return multiplyAdd(instruction);
    if (instruction.fence == Fence::atomic) return atomic(instruction);
    if (instruction.access || instruction.mnemonic == "SHFL" || instruction.mnemonic == "LDC" ||
        instruction.mnemonic == "ULDC")
        return memory(instruction);
    if ((kind >= 0x104 && kind <= 0x107) || (kind >= 0x110 && kind <= 0x113))
        if (instruction.unit == Unit::conversion) return conversion(instruction);
    if (instruction.unit == Unit::branch) return {};
    std::string out = logic(instruction);
    if (out.empty()) out = floats(instruction);
    if (out.empty()) out = others(instruction);
    return out;
}

} // namespace kernelarium::sass
