// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kernelarium::tensor {

/// Element types. The numbers are PyTorch's c10::ScalarType values, so that they cross the shim unchanged.
enum class DType : std::int8_t {
    UInt8 = 0,
    Int8 = 1,
    Int16 = 2,
    Int32 = 3,
    Int64 = 4,
    Float16 = 5,
    Float32 = 6,
    Float64 = 7,
    Bool = 11,
    BFloat16 = 15,
    Float8E5m2 = 23,   ///< of the OCP's OFP8, as IEEE has it: with infinities
    Float8E4m3fn = 24, ///< no infinities, one NaN of each sign, 448 the largest
};

[[nodiscard]] std::size_t byteSize(DType type);
[[nodiscard]] bool isFloating(DType type);
/// The largest relative error of rounding to the type: half the distance from 1 to the next number. 0 of integers.
[[nodiscard]] double unitRoundoff(DType type);
[[nodiscard]] std::string_view name(DType type); ///< "float32", "int64", "bool", ...
[[nodiscard]] std::optional<DType> parseDType(std::string_view name);

/// IEEE binary16 and bfloat16 conversions, round to nearest even.
[[nodiscard]] float halfToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToHalf(float value);
[[nodiscard]] float bfloatToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToBfloat(float value);

/// Eight bits, without their type.
struct Float8 {
    std::uint8_t bits = 0;
};
[[nodiscard]] float float8ToFloat(DType type, Float8 value);
/// As PyTorch converts: to nearest even; what is too large becomes infinity, or NaN where the type has none.
[[nodiscard]] Float8 floatToFloat8(DType type, float value);
[[nodiscard]] inline bool isFloat8(DType type) {
    return type == DType::Float8E5m2 || type == DType::Float8E4m3fn;
}

} // namespace kernelarium::tensor
