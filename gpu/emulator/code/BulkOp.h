// SPDX-License-Identifier: GPL-3.0-or-later
//
// cp.async.bulk, cp.reduce.async.bulk and cp.async.bulk.tensor (PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy"), st.async and red.async, which are copies of registers.
#pragma once

#include "gpu/emulator/code/Operand.h"
#include "gpu/ptx/Types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// An operand that is an address: a register's lanes (32 or 64 bits wide, or none) and an offset.
struct AddressOperand {
    Opd base;
    bool hasBase = false, isWide = false;
    std::int64_t offset = 0;
};

struct BulkOp {
    enum class Kind : std::uint8_t {
        toShared,    ///< global memory to shared memory of the cluster
        toGlobal,    ///< shared memory of the block to global memory
        sharedToFar, ///< shared memory of the block to shared memory of the cluster
        prefetch,    ///< into the L2 cache: nothing that shows
    } kind = Kind::toShared;
    enum class Reduction : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_ } reduction = Reduction::none;
    ptx::Type type = ptx::Type::none; ///< of a reduction without a tensor map
    AddressOperand to, from, barrier; ///< with a tensor map, what is not shared memory is the map
    bool tells = false;               ///< an mbarrier; else the copy belongs to a bulk group
    bool isTensor = false;
    bool multicast = false;
    Opd mask;                ///< multicast: of 16 bits
    Opd size;                ///< bytes, without a tensor map
    std::vector<Opd> values; ///< registers that are copied instead of memory, of `valueBytes` each
    std::uint32_t valueBytes = 0;
    std::uint32_t dimensions = 0;
    std::array<Opd, 5> coordinates{}; ///< the innermost first
};

} // namespace kernelarium::emulator
