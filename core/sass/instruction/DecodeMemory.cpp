// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

using Space = Access::Space;

struct MemoryKind {
    int kind;
    const char* mnemonic;
    Space space;
};
constexpr MemoryKind loads[] = {
    {0x180, "LD", Space::generic},
    {0x181, "LDG", Space::global},
    {0x183, "LDL", Space::local},
    {0x184, "LDS", Space::shared},
};
constexpr MemoryKind stores[] = {
    {0x185, "ST", Space::generic},
    {0x186, "STG", Space::global},
    {0x187, "STL", Space::local},
    {0x188, "STS", Space::shared},
};

constexpr int sizeBytes[] = {1, 1, 2, 2, 4, 8, 16, 16};

const MemoryKind* findKind(const MemoryKind* begin, const MemoryKind* end, int kind) {
    const auto* found = std::find_if(begin, end, [&](const MemoryKind& one) { return one.kind == kind; });
    return found == end ? nullptr : found;
}

/// Addresses of these spaces have 64 bits where bit 72 says so, and are described by two uniform registers.
bool isDescribed(Space space) {
    return space == Space::global || space == Space::generic;
}

void locate(Instruction& instruction, const MemoryKind& kind, const Operand& address, std::uint64_t size,
            std::uint64_t order, bool store) {
    Access access;
    access.space = kind.space;
    access.reads = !store;
    access.writes = store;
    access.isLocated = true;
    access.base = address.index;
    access.uniformBase = address.uniform >= 0 ? address.uniform : constantIndex(RegisterFile::uniform);
    access.offset = address.value;
    access.bytes = sizeBytes[size];
    access.order = !isDescribed(kind.space) || order == 0 ? Access::Order::weak
                   : order == 4 && !store                 ? Access::Order::constant
                                                          : Access::Order::strong;
    instruction.access = access;
    if (access.order == Access::Order::strong) instruction.fence = Fence::strong;
}

bool decodeLoad(Instruction& instruction, OperandReader& reader) {
    const MemoryKind* kind = findKind(std::begin(loads), std::end(loads), kindOf(instruction.operation));
    if (!kind) return false;
    const bool uniform = isUniformForm(instruction.operation);
    const int form = formOf(instruction.operation);
    if (uniform ? form != 4 : form != 1 && form != 4 && form != 6) return false;
    instruction.mnemonic = kind->mnemonic;
    instruction.unit = Unit::memory;
    const auto size = reader.bits(73, 3);
    const bool described = isDescribed(kind->space);
    if (kind->space == Space::global) reader.predicateWritten(81, RegisterFile::predicate, Hide::whenTrue);
    reader.generalWritten(16, sizeRegisters(unsigned(size)));
    const Operand address = reader.address(24, described && reader.bit(72), uniform ? 32 : 0,
                                           described || kind->space == Space::local ? 2 : 1, described);
    locate(instruction, *kind, address, size, reader.bits(77, 4), false);
    if (kind->space == Space::global && reader.bits(64, 4) != 0) {
        // What such a load gives where its own predicate is false is not modelled: it keeps its place.
        reader.predicate(64, 67, RegisterFile::predicate, Hide::never);
        instruction.fence = Fence::strong;
    }
    return true;
}

bool decodeStore(Instruction& instruction, OperandReader& reader) {
    const MemoryKind* kind = findKind(std::begin(stores), std::end(stores), kindOf(instruction.operation));
    if (!kind) return false;
    const bool uniform = isUniformForm(instruction.operation);
    const int form = formOf(instruction.operation);
    if (uniform ? form != 4 : form != 1 && form != 4) return false;
    instruction.mnemonic = kind->mnemonic;
    instruction.unit = Unit::memory;
    const auto size = reader.bits(73, 3);
    const bool described = isDescribed(kind->space);
    const Operand address =
        reader.address(24, described && reader.bit(72), uniform ? 64 : 0, described ? 2 : 1, described);
    reader.general(32, sizeRegisters(unsigned(size)));
    locate(instruction, *kind, address, size, reader.bits(77, 4), true);
    return true;
}

void matrixAccess(Instruction& instruction, bool store) {
    Access access;
    access.space = Space::shared;
    access.reads = !store;
    access.writes = store;
    instruction.access = access;
    instruction.isConvergent = true;
}

bool decodeOthers(Instruction& instruction, OperandReader& reader) {
    const bool uniform = isUniformForm(instruction.operation);
    switch (instruction.operation) {
    case 0x83b:
    case 0x183b:
        instruction.mnemonic = "LDSM";
        instruction.unit = Unit::memory;
        reader.generalWritten(16, 1 << reader.bits(72, 2));
        reader.address(24, false, uniform ? 32 : 0, 1, false);
        matrixAccess(instruction, false);
        return true;
    case 0x844:
    case 0x1844:
        instruction.mnemonic = "STSM";
        instruction.unit = Unit::memory;
        reader.address(24, false, uniform ? 64 : 0, 1, false);
        reader.general(32, 1 << reader.bits(72, 2));
        matrixAccess(instruction, true);
        return true;
    case 0xfae:
    case 0x1fae: {
        instruction.mnemonic = "LDGSTS";
        instruction.unit = Unit::memory;
        reader.address(16, false, 0, 1, false).value = 0; // the offset is that of the address in device memory
        reader.address(24, true, uniform ? 64 : 0, 2, true);
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        Access access;
        access.space = Space::globalToShared;
        access.reads = access.writes = true;
        access.isAsynchronous = true;
        instruction.access = access;
        return true;
    }
    case 0xb82: {
        instruction.mnemonic = "LDC";
        instruction.unit = Unit::conversion;
        reader.generalWritten(16, sizeRegisters(unsigned(reader.bits(73, 3))));
        Operand& constant = reader.constant(false);
        constant.index = int(reader.bits(24, 8));
        constant.count = 1;
        return true;
    }
    case 0x1582: {
        instruction.mnemonic = "LDC";
        instruction.unit = Unit::conversion;
        reader.generalWritten(16, sizeRegisters(unsigned(reader.bits(73, 3))));
        Operand& constant = reader.constant(false);
        constant.bank = -1;
        constant.uniform = int(reader.bits(24, 6));
        constant.uniformCount = 2;
        constant.index = int(reader.bits(64, 8));
        return true;
    }
    case 0x389:
    case 0x589:
    case 0x989:
    case 0xf89:
        instruction.mnemonic = "SHFL";
        instruction.unit = Unit::memory;
        instruction.isConvergent = true;
        reader.predicateWritten(81, RegisterFile::predicate, Hide::never);
        reader.generalWritten(16);
        reader.general(24);
        if (instruction.operation == 0x389 || instruction.operation == 0x589)
            reader.general(32);
        else
            reader.immediate(std::int64_t(reader.bits(53, 5)));
        if (instruction.operation == 0x389 || instruction.operation == 0x989)
            reader.general(64);
        else
            reader.immediate(std::int64_t(reader.bits(40, 13)));
        return true;
    default: return false;
    }
}

struct AtomicKind {
    int operation;
    const char* mnemonic;
};
constexpr AtomicKind atomics[] = {
    {0x38a, "ATOM"},   {0x38b, "ATOM"},   {0x98a, "ATOM"},   {0x198a, "ATOM"},  {0x38c, "ATOMS"},
    {0x38d, "ATOMS"},  {0x98c, "ATOMS"},  {0x98d, "ATOMS"},  {0x198c, "ATOMS"}, {0x198d, "ATOMS"},
    {0x1f8c, "ATOMS"}, {0xf8c, "ATOMS"},  {0x3a8, "ATOMG"},  {0x3a9, "ATOMG"},  {0x9a8, "ATOMG"},
    {0x9a9, "ATOMG"},  {0x19a8, "ATOMG"}, {0x19a9, "ATOMG"}, {0x3a3, "ATOMG"},  {0x9a3, "ATOMG"},
    {0x19a3, "ATOMG"}, {0x98e, "RED"},    {0x198e, "RED"},   {0x9a6, "RED"},    {0x19a6, "RED"},
};

bool decodeAtomic(Instruction& instruction, OperandReader& reader) {
    const auto* found = std::find_if(std::begin(atomics), std::end(atomics),
                                     [&](const AtomicKind& one) { return one.operation == instruction.operation; });
    if (found == std::end(atomics)) return false;
    const int kind = kindOf(instruction.operation);
    const bool reduces = kind == 0x18e || kind == 0x1a6, shared = kind == 0x18c || kind == 0x18d;
    const bool exchanges = kind == 0x18d || kind == 0x1a9 || kind == 0x18b; // compare and swap
    const auto size = reader.bits(73, 3);
    const int count = size == 2 || size == 3 || size == 5 || size == 6 ? 2 : 1;
    instruction.mnemonic = found->mnemonic;
    instruction.unit = Unit::memory;
    instruction.fence = Fence::atomic;
    if (!reduces) {
        reader.predicateWritten(81, RegisterFile::predicate, shared ? Hide::whenTrue : Hide::never);
        reader.generalWritten(16, count);
    }
    const bool uniform = isUniformForm(instruction.operation);
    reader.address(24, !shared && reader.bit(72), uniform ? 64 : 0, shared ? 1 : 2, !shared);
    if (instruction.operation != 0x1f8c && instruction.operation != 0xf8c) reader.general(32, count);
    if (exchanges) reader.general(64, count);
    Access access;
    access.space = shared ? Space::shared : kind == 0x18a || kind == 0x18b ? Space::generic : Space::global;
    access.order = Access::Order::strong;
    access.reads = access.writes = true;
    instruction.access = access;
    return true;
}

} // namespace

bool decodeMemory(Instruction& instruction) {
    OperandReader reader(instruction);
    return decodeLoad(instruction, reader) || decodeStore(instruction, reader) || decodeOthers(instruction, reader) ||
           decodeAtomic(instruction, reader);
}

} // namespace kernelarium::sass
