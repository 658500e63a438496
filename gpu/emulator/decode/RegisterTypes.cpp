// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/RegisterTypes.h"

#include <algorithm>
#include <array>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

void collectRegisters(const Operand& o, std::vector<const Operand*>& found) {
    if (o.kind == OperandKind::reg) found.push_back(&o);
    if (o.kind == OperandKind::vector || o.kind == OperandKind::pair)
        for (const Operand& item : o.items)
            collectRegisters(item, found);
}

bool isBits(Type t) {
    return t >= Type::b8 && t <= Type::b128;
}

/// The type that the instruction gives to what it writes, or reads; none where it says nothing but a width.
Type namedType(const Instruction& i, bool written) {
    Type found = Type::none;
    for (const std::string_view m : i.modifiers) {
        const auto type = ptx::parseType(m);
        if (!type) continue;
        found = *type;
        // cvt.to.from; everything else names one type, or its last is that of its operands.
        if (i.opcode == "cvt" && written) break;
    }
    const bool comparison = i.opcode == "setp" || i.opcode == "set";
    return isBits(found) || (comparison && written) ? Type::none : found;
}

/// Which types of a width matter to a reader: mul.wide.s32 writes 64 bits.
Type widened(const Instruction& i, Type t) {
    if (!i.has("wide")) return t;
    switch (t) {
    case Type::s16: return Type::s32;
    case Type::u16: return Type::u32;
    case Type::s32: return Type::s64;
    case Type::u32: return Type::u64;
    default: return t;
    }
}

} // namespace

std::vector<const Operand*> writtenOperands(const Instruction& i) {
    static constexpr std::array<std::string_view, 14> readers{"st",        "red",  "bra",      "brx",       "call",
                                                              "ret",       "exit", "prefetch", "membar",    "fence",
                                                              "nanosleep", "trap", "stmatrix", "setmaxnreg"};
    std::vector<const Operand*> found;
    if (i.operands.empty() || std::find(readers.begin(), readers.end(), i.opcode) != readers.end()) return found;
    const bool reduces = i.has("red");
    if ((i.opcode == "bar" || i.opcode == "barrier") && !reduces) return found;
    if (i.opcode == "wmma" && i.has("store")) return found;
    collectRegisters(i.operands[0], found);
    return found;
}

std::vector<std::string> registerTypes(const ptx::Function& f) {
    std::vector<Type> types;
    for (const ptx::Register& r : f.registers)
        types.push_back(r.type);
    const auto settle = [&](const Operand& o, Type type) {
        Type& known = types[std::size_t(o.reg)];
        if (isBits(known) && type != Type::none && ptx::byteSize(type) == ptx::byteSize(known)) known = type;
    };
    for (const Instruction& i : f.instructions) {
        const Type type = widened(i, namedType(i, true));
        for (const Operand* o : writtenOperands(i))
            settle(*o, type);
    }
    for (const Instruction& i : f.instructions) {
        const Type type = namedType(i, false);
        std::vector<const Operand*> read;
        for (const Operand& o : i.operands)
            collectRegisters(o, read);
        for (const Operand* o : read)
            settle(*o, type);
    }
    std::vector<std::string> names;
    for (const Type t : types)
        names.emplace_back(ptx::name(t));
    return names;
}

} // namespace kernelarium::emulator
