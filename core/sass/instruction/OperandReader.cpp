// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/OperandReader.h"

namespace kernelarium::sass {

Operand& OperandReader::add(Operand operand) {
    m_instruction.operands.push_back(operand);
    return m_instruction.operands.back();
}

Operand& OperandReader::general(unsigned at, int count, char slot) {
    return add({.kind = Operand::Kind::general, .index = int(bits(at, 8)), .count = count, .slot = slot});
}

Operand& OperandReader::generalWritten(unsigned at, int count) {
    return add({.kind = Operand::Kind::general, .index = int(bits(at, 8)), .count = count, .written = true});
}

Operand& OperandReader::uniform(unsigned at, int count) {
    return add({.kind = Operand::Kind::uniform, .index = int(bits(at, 6)), .count = count});
}

Operand& OperandReader::uniformWritten(unsigned at, int count) {
    return add({.kind = Operand::Kind::uniform, .index = int(bits(at, 6)), .count = count, .written = true});
}

Operand& OperandReader::predicate(unsigned at, unsigned negatedAt, RegisterFile file, Hide hide) {
    Operand operand;
    operand.kind = file == RegisterFile::predicate ? Operand::Kind::predicate : Operand::Kind::uniformPredicate;
    operand.index = int(bits(at, 3));
    operand.negated = bit(negatedAt);
    const bool isConstant = operand.index == constantIndex(file);
    operand.hidden =
        isConstant && ((hide == Hide::whenTrue && !operand.negated) || (hide == Hide::whenFalse && operand.negated));
    return add(operand);
}

Operand& OperandReader::predicateWritten(unsigned at, RegisterFile file, Hide hide) {
    Operand operand;
    operand.kind = file == RegisterFile::predicate ? Operand::Kind::predicate : Operand::Kind::uniformPredicate;
    operand.index = int(bits(at, 3));
    operand.written = true;
    operand.hidden = hide != Hide::never && operand.index == constantIndex(file);
    return add(operand);
}

Operand& OperandReader::immediate(std::int64_t value) {
    return add({.kind = Operand::Kind::immediate, .value = value});
}

Operand& OperandReader::floatBits(std::uint32_t value) {
    return add({.kind = Operand::Kind::floatBits, .value = std::int64_t(value)});
}

Operand& OperandReader::word(std::string_view text) {
    return add({.kind = Operand::Kind::word, .named = text});
}

Operand& OperandReader::special(int number) {
    return add({.kind = Operand::Kind::special, .value = number});
}

Operand& OperandReader::constant(bool uniformBase) {
    Operand operand;
    operand.kind = Operand::Kind::constant;
    operand.value = std::int64_t(bits(38, 16));
    operand.bank = int(bits(54, 5));
    if (uniformBase) {
        // Bindless: the bank itself is described by two uniform registers.
        operand.value = std::int64_t(bits(40, 14)) * 4;
        operand.bank = -1;
        operand.uniform = int(bits(32, 6));
        operand.uniformCount = 2;
    }
    return add(operand);
}

Operand& OperandReader::address(unsigned at, bool wide, unsigned uniformAt, int uniformCount, bool isDescriptor) {
    Operand operand;
    operand.kind = Operand::Kind::address;
    operand.index = int(bits(at, 8));
    operand.wide = wide;
    operand.count = wide ? 2 : 1;
    operand.value = m_word.signedBits(40, 24);
    if (uniformAt != 0) {
        (isDescriptor ? operand.descriptor : operand.uniform) = int(bits(uniformAt, 6));
        operand.uniformCount = uniformCount;
    }
    return add(operand);
}

Operand& OperandReader::target(std::int64_t distance) {
    m_instruction.target = m_instruction.place + std::int64_t(instructionBytes) + distance;
    return add({.kind = Operand::Kind::target, .value = *m_instruction.target});
}

void OperandReader::readsQuietly(RegisterFile file, int index, int count) {
    for (int i = 0; i < count && index != constantIndex(file); ++i)
        m_instruction.reads.add(Register::of(file, index + i));
}

void OperandReader::writesQuietly(RegisterFile file, int index, int count) {
    for (int i = 0; i < count && index != constantIndex(file); ++i)
        m_instruction.writes.add(Register::of(file, index + i));
}

} // namespace kernelarium::sass
