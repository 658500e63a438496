// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensor maps (PTX ISA, "Tensors"; CUDA driver API, cuTensorMapEncodeTiled). NVIDIA does not document their 128 bytes;
// these are our own, which the emulator reads and no GPU can.
#pragma once

#include "core/Result.h"

#include "gpu/ptx/Types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kernelarium::emulator {

/// What cuTensorMapEncodeTiled is given. Dimensions go from the innermost outwards.
struct TensorMap {
    static constexpr std::uint32_t tfloat32 = 11;
    std::uint32_t type = 0; ///< CUtensorMapDataType
    std::uint32_t rank = 0; ///< 1 to 5
    std::uint64_t address = 0;
    std::array<std::uint64_t, 5> extent{}; ///< elements
    std::array<std::uint64_t, 5> stride{}; ///< bytes; of the innermost the element's
    std::array<std::uint32_t, 5> box{};    ///< elements, before element strides
    std::array<std::uint32_t, 5> elementStride{};
    std::uint32_t interleave = 0; ///< CUtensorMapInterleave
    std::uint32_t swizzle = 0;    ///< CUtensorMapSwizzle
    std::uint32_t promotion = 0;  ///< CUtensorMapL2promotion: changes no result
    std::uint32_t fillsNan = 0;   ///< CUtensorMapFloatOOBfill

    [[nodiscard]] std::uint32_t elementBytes() const;
    [[nodiscard]] ptx::Type elementType() const; ///< as reductions take it
    /// Elements of the box along a dimension: ceil(box / element stride); that of the innermost is not looked at.
    [[nodiscard]] std::uint32_t count(std::uint32_t dimension) const;
    [[nodiscard]] std::uint32_t boxBytes() const;
    /// Bits of an element outside the tensor, repeated over 32: zero, or a NaN where it was asked for.
    [[nodiscard]] std::uint32_t fill() const;
};

constexpr std::size_t tensorMapBytes = 128;

/// Error "invalid_value" says which of the driver's rules the map breaks; "unsupported" names what is not done here
/// (interleaved layouts, types that flush or are packed, atoms of 32 bytes, boxes narrower than their swizzle).
[[nodiscard]] Result<std::array<std::byte, tensorMapBytes>> encodeTensorMap(const TensorMap& map);
/// None where the bytes are not such a map.
[[nodiscard]] std::optional<TensorMap> decodeTensorMap(std::span<const std::byte, tensorMapBytes> bytes);

/// Where a byte of a box stands in shared memory: its address with some bits exchanged (PTX ISA, "Swizzling Modes").
/// 0 none, 1: 32 bytes, 2: 64 bytes, 3: 128 bytes.
[[nodiscard]] constexpr std::uint32_t swizzled(std::uint32_t address, std::uint32_t mode) {
    switch (mode) {
    case 1: return address ^ (address >> 3 & 0x10);
    case 2: return address ^ (address >> 3 & 0x30);
    case 3: return address ^ (address >> 3 & 0x70);
    default: return address;
    }
}

} // namespace kernelarium::emulator
