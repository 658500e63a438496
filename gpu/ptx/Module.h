// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::ptx {

/// A place in the sources that `.loc` names. `inlinedAt` indexes Module::locations (-1: not inlined).
struct Location {
    int file = 0;
    int line = 0;
    int column = 0;
    int inlinedAt = -1;
};

/// What an operand is, and which fields of Operand say more.
enum class OperandKind : std::uint8_t {
    none,
    reg,      ///< `reg`, maybe negated (predicates)
    special,  ///< %tid.x, %laneid, ... in `name`
    integer,  ///< `bits`
    float32,  ///< 0fXXXXXXXX: the bits
    float64,  ///< 0dXXXX... or a decimal literal: the bits of a double
    symbol,   ///< `name` + `offset`: a variable, function or label
    address,  ///< [reg + offset], [symbol + offset] or [integer]: `reg` (-1 if none), `name`
    vector,   ///< {a, b, ...}: `items`
    pair,     ///< p|q: `items`
    wildcard, ///< _
    list,     ///< ( ... ) of a call: `items`
};

/// An operand of an instruction.
struct Operand {
    OperandKind kind = OperandKind::none;
    bool negated = false;
    int reg = -1;      ///< index into Function::registers
    int variable = -1; ///< index into Function::variables where `name` is declared in the body
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::string_view name;
    std::vector<Operand> items;
};

/// One instruction as written. Views point into the module's text.
struct Instruction {
    std::string_view opcode;                 ///< first part: "ld"
    std::vector<std::string_view> modifiers; ///< the other parts: "global", "v4", "f32"
    std::vector<Operand> operands;
    int predicate = -1; ///< register of @p
    bool predicateNegated = false;
    int location = -1; ///< index into Module::locations
    int textLine = 0;  ///< line in the PTX text, 1-based

    [[nodiscard]] bool has(std::string_view modifier) const;
};

/// A declared register.
struct Register {
    std::string_view name;
    Type type = Type::b32;
};

/// A variable in any space, or a parameter.
struct Variable {
    std::string_view name;
    Space space = Space::global;
    Type type = Type::b8;
    std::uint32_t alignment = 1;
    std::uint64_t bytes = 0;
    bool isExtern = false;
    bool isUnsized = false;            ///< extern shared array: dynamic shared memory
    std::vector<std::uint8_t> initial; ///< empty or `bytes` long
    struct Relocation {
        std::uint64_t offset;
        std::string_view symbol;
        std::int64_t addend;
        std::uint32_t bytes;
    };
    std::vector<Relocation> relocations;
};

/// A place in a body. Its name holds in the braces that it stands in, which are of these lines of the text.
struct Label {
    std::string_view name;
    std::uint32_t instruction = 0; ///< index of the instruction that follows
    int firstLine = 0, lastLine = 0;
};

/// Labels that brx.idx chooses from.
struct BranchTable {
    std::string_view name;
    std::vector<std::string_view> targets;
};

/// What an indirect call is called with (.callprototype).
struct Prototype {
    std::string_view name;
    std::vector<Variable> parameters;
    std::vector<Variable> results;
};

/// A kernel or a device function.
struct Function {
    std::string_view name;
    bool isKernel = false;
    bool isDefined = false; ///< has a body
    std::vector<Variable> results;
    std::vector<Variable> parameters;
    std::vector<Register> registers;
    std::vector<Variable> variables; ///< local, shared and call parameters declared in the body
    std::vector<Instruction> instructions;
    std::vector<Label> labels;
    std::vector<BranchTable> branchTables;
    std::vector<Prototype> prototypes;
    std::uint32_t maxThreads[3] = {0, 0, 0};   ///< .maxntid / .reqntid, 0 where absent
    std::uint32_t clusterShape[3] = {0, 0, 0}; ///< .reqnctapercluster, 0 where absent
    std::uint32_t mostRegisters = 0;           ///< .maxnreg, 0 where absent
    std::uint32_t leastBlocks = 0;             ///< .minnctapersm, 0 where absent
    int location = -1;
    int textLine = 0;
};

/// A .file directive.
struct SourceFile {
    int number = 0;
    std::string path;
};

/// A parsed module. Its views point into `text`.
struct Module {
    std::string text; ///< owns what the views point into
    int versionMajor = 0;
    int versionMinor = 0;
    std::string_view target;
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<Location> locations;
    std::vector<SourceFile> files;

    Module() = default;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    /// The line of the user's file that a location stands for, following inlining outwards; 0 when there is none.
    /// The user's file is the one whose name is `userFile`.
    [[nodiscard]] int userLine(int location, std::string_view userFile = "kernel.cu") const;
};

} // namespace kernelarium::ptx
