// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/RegisterLayout.h"

#include "gpu/emulator/code/Operand.h"
#include "gpu/emulator/decode/Flow.h"

#include <algorithm>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t largestFrame = 1u << 29;

std::uint32_t aligned(std::uint64_t value, std::uint32_t to) {
    const std::uint64_t rounded = (value + to - 1) / to * to;
    if (rounded > largestFrame) throw DecodeFailure{"unsupported", "a function needs more than 512 MiB of frame"};
    return std::uint32_t(rounded);
}

} // namespace

std::uint32_t laneBytes(ptx::Type type) {
    return std::max(2u, ptx::byteSize(type));
}

RegisterLayout layOutRegisters(const ptx::Function& function) {
    RegisterLayout layout;
    layout.offsets.resize(function.registers.size());
    for (std::size_t r = 0; r < function.registers.size(); ++r) {
        const ptx::Type type = function.registers[r].type;
        if (type == ptx::Type::pred) continue;
        layout.offsets[r] = aligned(layout.bytes, 64);
        layout.bytes = layout.offsets[r] + std::uint64_t(laneBytes(type)) * laneCount;
    }
    for (std::size_t r = 0; r < function.registers.size(); ++r) {
        if (function.registers[r].type != ptx::Type::pred) continue;
        layout.offsets[r] = aligned(layout.bytes, 4);
        layout.bytes = layout.offsets[r] + 4;
    }
    return layout;
}

} // namespace kernelarium::emulator
