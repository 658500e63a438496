// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kernelarium::ptx {

/// PTX fundamental types (PTX ISA, "Types"), those that registers, memory and instructions name.
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
    e4m3x2,
    e5m2x2,
    u16x2,
    s16x2,
};

/// State spaces of addresses.
enum class Space : std::uint8_t { generic, global, shared, local, constant, param };

/// Bytes of one element; 0 for none, 1 for pred.
[[nodiscard]] std::uint32_t byteSize(Type type);
[[nodiscard]] std::optional<Type> parseType(std::string_view text); ///< without the leading dot
[[nodiscard]] std::optional<Space> parseSpace(std::string_view text);
[[nodiscard]] std::string_view name(Type type);

[[nodiscard]] constexpr bool isSigned(Type t) {
    return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64;
}
[[nodiscard]] constexpr bool isFloat(Type t) {
    return t >= Type::f16 && t <= Type::f64;
}

} // namespace kernelarium::ptx
