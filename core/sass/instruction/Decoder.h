// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

#include <cstddef>
#include <span>
#include <vector>

namespace kernelarium::sass {

/// Decodes one instruction of compute capability 8.0 to 9.0 (one encoding serves them all). Never fails: what our table
/// does not know has no mnemonic, counts as reading and writing every register, and is a fence. Fields were found by
/// Jia et al. (2018) and in public assemblers (CuAssembler, Mesa's NAK), and are held against nvdisasm where there is
/// one. `place` is the byte offset within the kernel.
[[nodiscard]] Instruction decode(const Word& word, std::int64_t place, int computeCapability);

/// A kernel's code, 16 bytes an instruction; trailing bytes that are no whole instruction are left out.
[[nodiscard]] std::vector<Word> wordsOf(std::span<const std::byte> code);
[[nodiscard]] std::vector<Instruction> decodeAll(const std::vector<Word>& words, int computeCapability);

/// The bytes again. wordsOf and bytesOf are each other's inverse.
[[nodiscard]] std::vector<std::byte> bytesOf(const std::vector<Word>& words);

} // namespace kernelarium::sass
