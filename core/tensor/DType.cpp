// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/DType.h"

#include <bit>
#include <cmath>

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

bool isFloating(DType type) {
    return type == DType::Float16 || type == DType::Float32 || type == DType::Float64 || type == DType::BFloat16;
}

std::optional<DType> parseDType(std::string_view text) {
    for (const Row& r : rows)
        if (r.name == text) return r.type;
    return std::nullopt;
}

float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent == 0) {
        const float magnitude = std::ldexp(float(mantissa), -24);
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t floatToHalf(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint16_t sign = std::uint16_t((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return std::uint16_t(sign | 0x7fffu); // the GPU's canonical NaN
    if (magnitude >= 0x47800000u) return std::uint16_t(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // subnormal or zero: scale so that the unit is one
        const float scaled = std::nearbyint(std::ldexp(std::bit_cast<float>(magnitude), 24));
        return std::uint16_t(sign | std::uint16_t(scaled));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return std::uint16_t(sign | ((rounded - 0x38000000u) >> 13));
}

float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
}

std::uint16_t floatToBfloat(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
    return std::uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace kernelarium::tensor
