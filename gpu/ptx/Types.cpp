// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/Types.h"

namespace kernelarium::ptx {

namespace {
struct Row {
    Type type;
    std::uint32_t bytes;
    std::string_view name;
};
constexpr Row rows[] = {
    {Type::pred, 1, "pred"},   {Type::b8, 1, "b8"},         {Type::b16, 2, "b16"},       {Type::b32, 4, "b32"},
    {Type::b64, 8, "b64"},     {Type::b128, 16, "b128"},    {Type::u8, 1, "u8"},         {Type::u16, 2, "u16"},
    {Type::u32, 4, "u32"},     {Type::u64, 8, "u64"},       {Type::s8, 1, "s8"},         {Type::s16, 2, "s16"},
    {Type::s32, 4, "s32"},     {Type::s64, 8, "s64"},       {Type::f16, 2, "f16"},       {Type::f16x2, 4, "f16x2"},
    {Type::bf16, 2, "bf16"},   {Type::bf16x2, 4, "bf16x2"}, {Type::tf32, 4, "tf32"},     {Type::f32, 4, "f32"},
    {Type::f64, 8, "f64"},     {Type::e4m3x2, 2, "e4m3x2"}, {Type::e5m2x2, 2, "e5m2x2"}, {Type::u16x2, 4, "u16x2"},
    {Type::s16x2, 4, "s16x2"},
};
} // namespace

std::uint32_t byteSize(Type type) {
    for (const Row& r : rows)
        if (r.type == type) return r.bytes;
    return 0;
}

std::optional<Type> parseType(std::string_view text) {
    for (const Row& r : rows)
        if (r.name == text) return r.type;
    return std::nullopt;
}

std::string_view name(Type type) {
    for (const Row& r : rows)
        if (r.type == type) return r.name;
    return "none";
}

std::optional<Space> parseSpace(std::string_view text) {
    if (text == "global") return Space::global;
    if (text == "shared") return Space::shared;
    if (text == "local") return Space::local;
    if (text == "const") return Space::constant;
    if (text == "param") return Space::param;
    return std::nullopt;
}

} // namespace kernelarium::ptx
