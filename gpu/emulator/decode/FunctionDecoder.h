// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/async/SharedBarrier.h"
#include "gpu/emulator/code/Select.h"
#include "gpu/emulator/decode/Flow.h"
#include "gpu/emulator/decode/KnownRows.h"
#include "gpu/emulator/warp/Warp.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernelarium::emulator {

/// What all functions of a module share while it is decoded.
struct DecodeContext {
    const ptx::Module& module;
    Code& code;
    const LaneTable& lanes;
    std::unordered_map<std::string_view, std::uint32_t> functionOf;
    /// Module-level shared variables and those of device functions: where each stands differs by kernel, so that
    /// their offsets are lanes of the special segment, filled when a block starts.
    struct SharedSlot {
        const ptx::Variable* variable;
        Opd lanes;
    };
    std::vector<SharedSlot> sharedSlots;
    std::unordered_map<const ptx::Variable*, std::size_t> slotOf;
    bool mapsShared = false; ///< some function makes generic addresses of other blocks' shared memory (mapa)
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> constantOf; ///< (bits, bytes) to offset

    std::map<std::pair<int, AccessRole>, std::uint16_t> siteNumbers; ///< Code::sites so far
    std::uint16_t siteOf(int line, AccessRole role);
    /// Lanes of a constant in the constant segment.
    Opd constant(std::uint64_t bits, std::uint32_t bytes);
};

/// Turns one function's instructions into Inst.
class FunctionDecoder {
public:
    FunctionDecoder(DecodeContext& context, const ptx::Function& function, std::uint32_t index);
    void decode();
    /// Functions and shared variables that the function names.
    [[nodiscard]] const std::set<std::uint32_t>& callees() const { return m_callees; }
    [[nodiscard]] const std::set<std::size_t>& sharedSlots() const { return m_slots; }
    [[nodiscard]] bool callsIndirectly() const { return m_indirect; }

    /// Layout of registers, parameters and variables; run for all functions before any is decoded.
    void layOut();

private:
    using I = const ptx::Instruction&;

    // Instruction families: each answers whether the opcode is its own.
    bool decodeArithmetic(I i);
    bool decodeFloat(I i);
    bool decodeBits(I i);
    bool decodeComparison(I i);
    bool decodeMove(I i);
    bool decodeConversion(I i);
    bool decodeMemory(I i);
    bool decodeAtomic(I i);
    bool decodeWarp(I i);
    bool decodeControl(I i);
    bool decodeBarrier(I i);

    bool decodeMatrix(I i);
    bool decodeAsync(I i);

    void decodeMultiply(I i);
    void decodeFragmentAccess(I i);
    void decodeRows(I i);
    Fragment fragment(const ptx::Operand& o, Element e, FragmentMap map, bool isDestination, I i);
    void emitMatrixAccess(I i, const ptx::Operand& pointer, MatrixMemory kind, std::uint32_t bytes,
                          MatrixAccess access);
    void decodeCopy(I i);
    void decodeSharedBarrier(I i);
    void emitSharedBarrier(I i, const ptx::Operand& where, SharedBarrier::Kind kind);
    void decodeAsyncStore(I i); ///< st.async, red.async
    void decodeBulk(I i);
    void decodeWarpgroup(I i);
    bool decodeCluster(I i);
    /// Whether an access in this space may be one of another block's shared memory.
    bool reachesFar(I i, ptx::Space space) const;
    AddressOperand addressOperand(const ptx::Operand& o, I i);
    /// The instruction that was just decoded may access other blocks' shared memory. `shared` is its handler for
    /// offsets of 32 bits.
    void allowFar(Handler shared, bool generic, bool wide);
    void decodeLoad(I i);
    void decodeStore(I i);
    void decodeMov(I i);
    void decodeVectorMov(I i, bool packing);
    void decodeCall(I i);
    void decodeBranch(I i);
    void decodeLop3(I i);
    void decodePrmt(I i);
    void decodeSetp(I i);
    void decodeMad(I i);
    void decodeCarry(I i);

    // Operands.
    Opd registerOf(const ptx::Operand& o, I i) const;
    Opd source(const ptx::Operand& o, ptx::Type type, I i);
    Opd destination(const ptx::Operand& o, I i) const;
    Opd predicateOf(int reg) const;
    Opd sourcePredicate(const ptx::Operand& o, I i);
    std::optional<Opd> specialRegister(std::string_view name) const;
    std::uint32_t widthOf(const ptx::Operand& o) const; ///< bytes of a register operand; 0 for others
    std::uint64_t immediate(const ptx::Operand& o, ptx::Type type, I i) const;
    std::optional<std::uint64_t> symbolAddress(const ptx::Operand& o) const;
    const ptx::Variable* sharedVariable(const ptx::Operand& o) const;
    /// Fills a, imm and bits for [address]; gives the space after resolving parameters to local memory.
    ptx::Space address(Inst& inst, const ptx::Operand& o, ptx::Space space, I i);
    ptx::Space placeAddress(Inst& inst, const ptx::Operand& o, ptx::Space space, I i);
    void operandCount(I i, std::size_t least) const;

    // Modifiers.
    ptx::Type typeAt(I i, std::size_t fromEnd) const; ///< 0: last type modifier
    Key keyOf(I i, Op op) const;

    // Emission.
    Inst& emit(Handler handler, I i);
    void emitOperation(Handler handler, I i, ptx::Type type, std::initializer_list<ptx::Type> sources);
    [[noreturn]] void unsupported(I i, const std::string& why = {}) const;
    void enter(std::size_t block);
    void finishPointers();
    void decodeOne(I i);
    void noteFacts(I i, std::size_t firstInst);
    int sourceIndex(I i);
    bool isPredicateHandled(I i) const;
    /// The instruction was decoded to a load or store whose handler looks for whole rows.
    bool looksForRows(I i) const;

    DecodeContext& m_context;
    const ptx::Function& m_function;
    std::uint32_t m_index;
    FunctionCode& m_body;
    Flow m_flow;
    std::vector<std::uint32_t> m_registerOffset;
    std::vector<std::uint32_t> m_variableOffset; ///< local or shared offset of body variables
    struct Patch {
        std::size_t inst;
        int target = Flow::none;
        int reconverge = Flow::none;
    };
    std::vector<Patch> m_patches;
    std::vector<std::size_t> m_blockStart; ///< index of each block's Enter
    std::vector<std::pair<std::uint32_t, std::vector<int>>> m_tables;
    std::size_t m_currentBlock = 0;
    std::uint32_t m_blockInfo = 0;
    std::set<std::uint32_t> m_callees;
    std::set<std::size_t> m_slots;
    bool m_indirect = false;
    std::vector<AccessRole> m_roles; ///< of the function's instructions
    int m_lastLocation = -2;
    int m_lastLine = 0;
    ptx::Space m_accessSpace = ptx::Space::generic; ///< of the instruction in hand, once its address is decoded
    bool m_accessIsWide = true;
    KnownRows m_rows;
};

/// fenv mode of a rounding, for handlers that need it.
int roundingMode(Rounding rounding);

} // namespace kernelarium::emulator
