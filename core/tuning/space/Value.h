// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace kernelarium::tuning {

/// What a parameter may be set to. A text is a word of the language, a type's name for example.
using Value = std::variant<std::int64_t, double, bool, std::string>;

/// As it stands in a kernel's text: 16, 0.5 (always with a point or an exponent), true, float4.
[[nodiscard]] std::string textOf(const Value& value);

} // namespace kernelarium::tuning
