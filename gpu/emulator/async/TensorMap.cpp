// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/TensorMap.h"

#include <cstring>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t magic = 0x70616d726f736e74; // "tnsormap"

/// The 128 bytes.
struct Image {
    std::uint64_t magic, address;
    std::uint64_t stride[4];
    std::uint32_t lastIndex[5]; ///< extent - 1: extents go up to 2^32
    std::uint16_t box[5];
    std::uint8_t elementStride[5];
    std::uint8_t type, rank, interleave, swizzle, fillsNan;
};
static_assert(sizeof(Image) <= tensorMapBytes);

/// CUtensorMapDataType: bytes of an element; 0 for what is not supported.
std::uint32_t bytesOfType(std::uint32_t type) {
    switch (type) {
    case 0: return 1; // UINT8
    case 1:           // UINT16
    case 6:           // FLOAT16
    case 9: return 2; // BFLOAT16
    case 2:           // UINT32
    case 3:           // INT32
    case 7:           // FLOAT32
    case TensorMap::tfloat32: return 4;
    case 4:           // UINT64
    case 5:           // INT64
    case 8: return 8; // FLOAT64
    default: return 0;
    }
}

bool isFloating(std::uint32_t type) {
    return type >= 6;
}

Error invalid(std::string text) {
    return {"invalid_value", "cuTensorMapEncodeTiled: " + std::move(text)};
}

Error missing(std::string text) {
    return {"unsupported", "cuTensorMapEncodeTiled: " + std::move(text)};
}

} // namespace

std::uint32_t TensorMap::elementBytes() const {
    return bytesOfType(type);
}

ptx::Type TensorMap::elementType() const {
    using enum ptx::Type;
    constexpr ptx::Type types[] = {u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16};
    return type < std::size(types) ? types[type] : none;
}

std::uint32_t TensorMap::count(std::uint32_t d) const {
    return d == 0 ? box[0] : (box[d] + elementStride[d] - 1) / elementStride[d];
}

std::uint32_t TensorMap::boxBytes() const {
    std::uint32_t bytes = elementBytes();
    for (std::uint32_t d = 0; d < rank; ++d)
        bytes *= count(d);
    return bytes;
}

std::uint32_t TensorMap::fill() const {
    return fillsNan ? 0x7ff77ff7u : 0; // a NaN of every type
}

Result<std::array<std::byte, tensorMapBytes>> encodeTensorMap(const TensorMap& m) {
    if (m.rank < 1 || m.rank > 5) return invalid(fmt::format("a rank of {}; it is 1 to 5", m.rank));
    if (m.type > 12) return missing(fmt::format("elements of type {} (packed ones)", m.type));
    const std::uint32_t element = bytesOfType(m.type);
    if (!element) return missing(fmt::format("elements of type {}, which flush subnormal numbers", m.type));
    if (m.interleave) return missing("interleaved layouts");
    if (m.swizzle > 3) return missing(fmt::format("swizzle mode {}", m.swizzle));
    if (m.fillsNan > 1 || (m.fillsNan && !isFloating(m.type))) return invalid("NaN as fill of integers");
    if (m.address % 16) return invalid(fmt::format("the tensor's address {:#x} is not a multiple of 16", m.address));
    for (std::uint32_t d = 0; d < m.rank; ++d) {
        if (m.extent[d] == 0 || m.extent[d] > std::uint64_t(1) << 32)
            return invalid(fmt::format("extent {} of dimension {}; it is 1 to 2^32", m.extent[d], d));
        if (m.box[d] == 0 || m.box[d] > 256)
            return invalid(fmt::format("box {} of dimension {}; it is 1 to 256", m.box[d], d));
        if (m.elementStride[d] == 0 || m.elementStride[d] > 8)
            return invalid(fmt::format("element stride {} of dimension {}; it is 1 to 8", m.elementStride[d], d));
        if (d == 0) continue;
        if (m.stride[d] % 16 || m.stride[d] >= std::uint64_t(1) << 40)
            return invalid(fmt::format("stride {} of dimension {}; it is a multiple of 16 below 2^40", m.stride[d], d));
    }
    const std::uint32_t inner = m.box[0] * element;
    if (inner % 16) return invalid(fmt::format("{} bytes of the box along dimension 0, not a multiple of 16", inner));
    if (m.swizzle) {
        const std::uint32_t span = 16u << m.swizzle;
        if (inner > span)
            return invalid(
                fmt::format("{} bytes of the box along dimension 0, more than the swizzle's {}", inner, span));
        if (inner < span && m.rank > 1)
            return missing(
                fmt::format("{} bytes of the box along dimension 0, fewer than the swizzle's {}", inner, span));
    }
    Image image{};
    image.magic = magic;
    image.address = m.address;
    for (std::uint32_t d = 0; d < m.rank; ++d) {
        if (d) image.stride[d - 1] = m.stride[d];
        image.lastIndex[d] = std::uint32_t(m.extent[d] - 1);
        image.box[d] = std::uint16_t(m.box[d]);
        image.elementStride[d] = std::uint8_t(m.elementStride[d]);
    }
    image.type = std::uint8_t(m.type);
    image.rank = std::uint8_t(m.rank);
    image.swizzle = std::uint8_t(m.swizzle);
    image.fillsNan = std::uint8_t(m.fillsNan);
    std::array<std::byte, tensorMapBytes> bytes{};
    std::memcpy(bytes.data(), &image, sizeof image);
    return bytes;
}

std::optional<TensorMap> decodeTensorMap(std::span<const std::byte, tensorMapBytes> bytes) {
    Image image{};
    std::memcpy(&image, bytes.data(), sizeof image);
    TensorMap m;
    m.type = image.type;
    m.rank = image.rank;
    m.address = image.address;
    m.swizzle = image.swizzle;
    m.interleave = image.interleave;
    m.fillsNan = image.fillsNan;
    for (std::uint32_t d = 0; d < 5; ++d) {
        m.extent[d] = std::uint64_t(image.lastIndex[d]) + 1;
        m.stride[d] = d ? image.stride[d - 1] : bytesOfType(image.type);
        m.box[d] = image.box[d];
        m.elementStride[d] = image.elementStride[d];
    }
    // The bytes lie in memory that a kernel can write: what it made of them has to be a map still.
    if (image.magic != magic || !encodeTensorMap(m).ok()) return std::nullopt;
    return m;
}

} // namespace kernelarium::emulator
