// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/emulator/code/Code.h"

#include <map>
#include <string>
#include <vector>

namespace kernelarium::emulator {

/// What decoding leaves behind, found again in the PTX for a recording: the names and types of registers, what
/// instructions write, and their text. Takes up entries of the recording as they are asked for.
class RecordedCode {
public:
    /// `text` is what `code` was decoded from. Both outlive it.
    RecordedCode(const Code& code, const ptx::Module& text)
        : m_code(code)
        , m_text(text) {}

    struct Destination {
        std::uint32_t reg = 0;    ///< index into Recording::registers
        std::uint32_t offset = 0; ///< in the frame
        std::uint32_t bytes = 0;  ///< of a lane; 0: a predicate
    };
    struct Entry {
        std::uint32_t index = 0; ///< into Recording::instructions
        std::vector<Destination> destinations;
    };
    /// Of an instruction of a function, by its number in ptx::Function::instructions; null where the PTX has none.
    const Entry* entryOf(std::uint32_t function, std::int32_t instruction);

    /// Moves what was asked for into the recording.
    void take(recording::Recording& recording);

private:
    struct Function {
        const ptx::Function* text = nullptr;
        std::vector<std::uint32_t> offsets;
        std::vector<std::string> types; ///< by register, as Recording has them
        std::vector<int> known;         ///< by register: index into m_registers, or -1
        std::map<std::int32_t, Entry> entries;
    };
    Function& functionAt(std::uint32_t index);
    void addDestination(Function& f, std::uint32_t function, const ptx::Operand& operand, Entry& entry);
    [[nodiscard]] std::string textOf(const ptx::Instruction& i) const;

    const Code& m_code;
    const ptx::Module& m_text;
    std::map<std::uint32_t, Function> m_functions; ///< by index in Code::functions
    std::vector<recording::Register> m_registers;
    std::vector<recording::Instruction> m_instructions;
};

} // namespace kernelarium::emulator
