// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/emulator/counters/JoinedAccesses.h"
#include "gpu/ptx/Module.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::emulator {

/// What an instruction does for asynchronous copies to shared memory (cp.async).
enum class CopyRole : std::uint8_t { none, copy, commit, waitForGroups, waitForAll };

/// What counters want to know of an instruction besides InstructionFacts: what ptxas makes of it among its neighbours.
struct PipelineFacts {
    JoinedAccess joined;
    /// It ends a turn of a loop whose turns ptxas leaves one after another (`.pragma "nounroll"`, which NVVM writes
    /// where it has unrolled a loop as asked, or was told not to).
    bool endsRolledTurn = false;
    bool endsTurn = false;        ///< of any loop
    bool endsLoadingTurn = false; ///< of one that loads from device memory
    /// The first instruction of such loops, which what came before does not reach into.
    bool headsRolledLoop = false, headsLoadingLoop = false;
    bool movesFreely = false; ///< a load of what no store changes
    CopyRole copyRole = CopyRole::none;
    std::uint8_t copyGroupsLeft = 0; ///< of waitForGroups: so many of the last may still be under way
    std::uint32_t firstRegister = 0;
    std::uint8_t written = 0, read = 0; ///< how many registers from there on
};

/// Those of all instructions of a module, by Inst::source. Registers of all functions have numbers of their own.
class Pipeline {
public:
    Pipeline(const Code& code, const ptx::Module& module);

    [[nodiscard]] const PipelineFacts& at(std::size_t source) const { return m_facts[source]; }
    [[nodiscard]] std::span<const std::uint32_t> written(const PipelineFacts& of) const {
        return std::span(m_registers).subspan(of.firstRegister, of.written);
    }
    [[nodiscard]] std::span<const std::uint32_t> read(const PipelineFacts& of) const {
        return std::span(m_registers).subspan(of.firstRegister + of.written, of.read);
    }
    [[nodiscard]] std::size_t registers() const { return m_registerCount; }
    /// Loads from device memory in the kernel's own text.
    [[nodiscard]] std::uint32_t globalLoads(std::uint32_t function) const { return m_globalLoads[function]; }

private:
    void add(const FunctionCode& body, const ptx::Function& function, const std::vector<InstructionFacts>& sources);
    void markLoops(const FunctionCode& body, const ptx::Function& function, const ptx::Module& module,
                   const std::vector<InstructionFacts>& sources);

    std::vector<PipelineFacts> m_facts;
    std::vector<std::uint32_t> m_registers;
    std::size_t m_registerCount = 0;
    std::vector<std::uint32_t> m_globalLoads; ///< by function of the code
};

} // namespace kernelarium::emulator
