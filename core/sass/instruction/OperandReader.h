// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

namespace kernelarium::sass {

/// Takes operands out of an instruction's word, in the order of its text. Positions are bit numbers.
class OperandReader {
public:
    explicit OperandReader(Instruction& instruction)
        : m_instruction(instruction)
        , m_word(instruction.word) {}

    [[nodiscard]] std::uint64_t bits(unsigned first, unsigned count) const { return m_word.bits(first, count); }
    [[nodiscard]] bool bit(unsigned at) const { return m_word.bit(at); }

    /// General register at `at`, and the `count` - 1 behind it.
    Operand& general(unsigned at, int count = 1, char slot = 0);
    Operand& generalWritten(unsigned at, int count = 1);
    /// Uniform register in the 6 bits at `at`.
    Operand& uniform(unsigned at, int count = 1);
    Operand& uniformWritten(unsigned at, int count = 1);
    /// Predicate in 3 bits at `at`, "not" in bit `negatedAt`. Hidden where it is the constant `hiddenIf` says:
    /// a carry or a result that is not used.
    enum class Hide { never, whenTrue, whenFalse };
    Operand& predicate(unsigned at, unsigned negatedAt, RegisterFile file, Hide hide);
    Operand& predicateWritten(unsigned at, RegisterFile file, Hide hide);
    Operand& immediate(std::int64_t value);
    Operand& floatBits(std::uint32_t value);
    Operand& word(std::string_view text);
    Operand& special(int number);
    /// c[bank][offset] with bank and offset in their usual places; `uniformBase`: indexed by a uniform register.
    Operand& constant(bool uniformBase);
    /// [general at 24 + offset at 40]; `wide`: 64 bits. `uniformAt`: 0 for none.
    Operand& address(unsigned at, bool wide, unsigned uniformAt, int uniformCount, bool isDescriptor);
    Operand& target(std::int64_t distance);

    /// Registers that count without being written in the text.
    void readsQuietly(RegisterFile file, int index, int count = 1);
    void writesQuietly(RegisterFile file, int index, int count = 1);

private:
    Operand& add(Operand operand);
    Instruction& m_instruction;
    const Word& m_word;
};

} // namespace kernelarium::sass
