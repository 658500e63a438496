// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/DType.h"

#include "core/tensor/HalfBits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace kernelarium::tensor {

namespace {
struct Row {
    DType type;
    std::size_t bytes;
    std::string_view name;
};
constexpr Row rows[] = {
    {DType::UInt8, 1, "uint8"},
    {DType::Int8, 1, "int8"},
    {DType::Int16, 2, "int16"},
    {DType::Int32, 4, "int32"},
    {DType::Int64, 8, "int64"},
    {DType::Float16, 2, "float16"},
    {DType::Float32, 4, "float32"},
    {DType::Float64, 8, "float64"},
    {DType::Bool, 1, "bool"},
    {DType::BFloat16, 2, "bfloat16"},
    {DType::Float8E5m2, 1, "float8_e5m2"},
    {DType::Float8E4m3fn, 1, "float8_e4m3fn"},
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
    case DType::Float8E5m2: return 0x1p-3;
    case DType::Float8E4m3fn: return 0x1p-4;
    case DType::BFloat16: return 0x1p-8;
    case DType::Float16: return 0x1p-11;
    case DType::Float32: return 0x1p-24;
    case DType::Float64: return 0x1p-53;
    default: return 0;
    }
}
bool isFloating(DType type) {
    return type == DType::Float16 || type == DType::Float32 || type == DType::Float64 || type == DType::BFloat16 ||
           isFloat8(type);
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

float float8ToFloat(DType type, Float8 value) {
    // e5m2 is the upper half of a binary16.
    if (type == DType::Float8E5m2) return halfToFloat(std::uint16_t(value.bits << 8));
    const int exponent = value.bits >> 3 & 15, mantissa = value.bits & 7;
    const float sign = value.bits & 0x80 ? -1.0f : 1.0f;
    if (exponent == 15 && mantissa == 7) return sign * std::numeric_limits<float>::quiet_NaN();
    return sign * (exponent == 0 ? std::ldexp(float(mantissa), -9) : std::ldexp(float(8 + mantissa), exponent - 10));
}

Float8 floatToFloat8(DType type, float value) {
    const bool e5m2 = type == DType::Float8E5m2;
    const int mantissaBits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
    const auto sign = std::uint8_t(std::signbit(value) ? 0x80 : 0);
    const std::uint8_t beyond = e5m2 ? 0x7c : 0x7f; // infinity, or NaN
    if (std::isnan(value)) return {std::uint8_t(sign | 0x7f)};
    const float magnitude = std::fabs(value);
    if (std::isinf(value)) return {std::uint8_t(sign | beyond)};
    if (magnitude == 0) return {sign};
    const int binade = std::max(std::ilogb(magnitude), 1 - bias);
    const auto units = std::uint32_t(std::nearbyint(std::ldexp(magnitude, mantissaBits - binade)));
    // The leading one of a normal number adds to the exponent, as does a carry.
    const std::uint32_t bits = (std::uint32_t(std::min(binade, 32) + bias - 1) << mantissaBits) + units;
    return {std::uint8_t(sign | (bits >= beyond ? beyond : std::uint8_t(bits)))};
}

} // namespace kernelarium::tensor
