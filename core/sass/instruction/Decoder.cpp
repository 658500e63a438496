// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoder.h"

#include "core/sass/instruction/Decoding.h"

#include <cstring>

namespace kernelarium::sass {

namespace {

void addRegisters(RegisterSet& set, RegisterFile file, int index, int count) {
    if (index == constantIndex(file)) return;
    for (int i = 0; i < count && index + i < constantIndex(file); ++i)
        set.add(Register::of(file, index + i));
}

void count(Instruction& instruction, const Operand& operand) {
    using Kind = Operand::Kind;
    RegisterSet found;
    switch (operand.kind) {
    case Kind::general: addRegisters(found, RegisterFile::general, operand.index, operand.count); break;
    case Kind::uniform: addRegisters(found, RegisterFile::uniform, operand.index, operand.count); break;
    case Kind::predicate: addRegisters(found, RegisterFile::predicate, operand.index, 1); break;
    case Kind::uniformPredicate: addRegisters(found, RegisterFile::uniformPredicate, operand.index, 1); break;
    case Kind::address:
        addRegisters(found, RegisterFile::general, operand.index, operand.count);
        if (operand.uniform >= 0) addRegisters(found, RegisterFile::uniform, operand.uniform, operand.uniformCount);
        if (operand.descriptor >= 0) addRegisters(found, RegisterFile::uniform, operand.descriptor, 2);
        break;
    case Kind::constant:
        if (operand.uniform >= 0) addRegisters(found, RegisterFile::uniform, operand.uniform, operand.uniformCount);
        if (instruction.mnemonic == "LDC") addRegisters(found, RegisterFile::general, operand.index, operand.count);
        break;
    default: break;
    }
    (operand.written ? instruction.writes : instruction.reads) |= found;
    if (operand.isAddend) instruction.addends |= found;
}

void decodeGuard(Instruction& instruction) {
    instruction.guard = int(instruction.word.bits(12, 3));
    instruction.guardNegated = instruction.word.bit(15);
    if (instruction.guard == 7) {
        // Never executed: the assembler's own workarounds stay where they are.
        if (instruction.guardNegated && instruction.fence == Fence::none) instruction.fence = Fence::neverRuns;
        return;
    }
    instruction.guardReads.add(Register::of(
        instruction.hasUniformGuard ? RegisterFile::uniformPredicate : RegisterFile::predicate, instruction.guard));
    instruction.reads |= instruction.guardReads;
}

} // namespace

Instruction decode(const Word& word, std::int64_t place, int computeCapability) {
    Instruction instruction;
    instruction.word = word;
    instruction.place = place;
    instruction.operation = int(word.bits(0, 12) | word.bits(91, 1) << 12);
    instruction.control = controlOf(word);
    const bool known = decodeControl(instruction, computeCapability) || decodeMove(instruction) ||
                       decodeMatrix(instruction) || decodeMemory(instruction) || decodeAsync(instruction) ||
                       decodeUniform(instruction) || decodeArithmetic(instruction);
    for (const Operand& operand : instruction.operands)
        count(instruction, operand);
    decodeGuard(instruction);
    // Before 9.0 double precision says by a scoreboard when it is done.
    if (instruction.unit == Unit::doubled && computeCapability < 90) instruction.unit = Unit::queuedDouble;
    if (!known) {
        instruction.mnemonic = {};
        instruction.unit = Unit::unknown;
        instruction.fence = Fence::unknown;
        instruction.reads = instruction.writes = RegisterSet::all();
    }
    return instruction;
}

std::vector<Word> wordsOf(std::span<const std::byte> code) {
    std::vector<Word> words(code.size() / instructionBytes);
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::memcpy(&words[i].low, code.data() + i * instructionBytes, 8);
        std::memcpy(&words[i].high, code.data() + i * instructionBytes + 8, 8);
    }
    return words;
}

std::vector<Instruction> decodeAll(const std::vector<Word>& words, int computeCapability) {
    std::vector<Instruction> all;
    all.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        all.push_back(decode(words[i], std::int64_t(i * instructionBytes), computeCapability));
    return all;
}

std::vector<std::byte> bytesOf(const std::vector<Word>& words) {
    std::vector<std::byte> code(words.size() * instructionBytes);
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::memcpy(code.data() + i * instructionBytes, &words[i].low, 8);
        std::memcpy(code.data() + i * instructionBytes + 8, &words[i].high, 8);
    }
    return code;
}

} // namespace kernelarium::sass
