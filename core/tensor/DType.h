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

} // namespace kernelarium::tensor
