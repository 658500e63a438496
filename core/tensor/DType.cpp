// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/DType.h"

#include "core/tensor/HalfBits.h"

#include <bit>

namespace kernelarium::tensor {

namespace {
struct Row {
    DType type;
    std::size_t bytes;
    std::string_view name;
};
constexpr Row rows[] = {
    {DType::UInt8, 1, "uint8"},       {DType::Int8, 1, "int8"},       {DType::Int16, 2, "int16"},
    {DType::Int32, 4, "int32"},       {DType::Int64, 8, "int64"},     {DType::Float16, 2, "float16"},
    {DType::Float32, 4, "float32"},   {DType::Float64, 8, "float64"}, {DType::Bool, 1, "bool"},
    {DType::BFloat16, 2, "bfloat16"},
};
const Row& row(DType type) {
    for (const Row& r : rows)
        if (r.type == type) return r;
    return rows[0];
}
} // namespace

std::size_t byteSize(DType type) {
    return row(type).bytes;
}
std::string_view name(DType type) {
    return row(type).name;
}

double unitRoundoff(DType type) {
    switch (type) {
    case DType::BFloat16: return 0x1p-8;
    case DType::Float16: return 0x1p-11;
    case DType::Float32: return 0x1p-24;
    case DType::Float64: return 0x1p-53;
    default: return 0;
    }
}
bool isFloating(DType type) {
    return type == DType::Float16 || type == DType::Float32 || type == DType::Float64 || type == DType::BFloat16;
}

std::optional<DType> parseDType(std::string_view text) {
    for (const Row& r : rows)
        if (r.name == text) return r.type;
    return std::nullopt;
}

float halfToFloat(std::uint16_t bits) {
    const bool finite = (bits & 0x7c00u) != 0x7c00u;
    if (finite) return halfbits::fromHalf(bits);
    // A signalling NaN stays one: these are the bits of somebody's memory.
    return std::bit_cast<float>(std::uint32_t(bits & 0x8000u) << 16 | 0x7f800000u | std::uint32_t(bits & 0x3ffu) << 13);
}

std::uint16_t floatToHalf(float value) {
    const bool negative = std::bit_cast<std::uint32_t>(value) >> 31;
    if (value != value) return negative ? 0xffffu : 0x7fffu; // the GPU's canonical NaN
    return halfbits::toHalf(value);
}

float bfloatToFloat(std::uint16_t bits) {
    return halfbits::fromBfloat(bits);
}

std::uint16_t floatToBfloat(float value) {
    return halfbits::toBfloat(value);
}

} // namespace kernelarium::tensor
