// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Value.h"

#include <string>
#include <string_view>
#include <variant>

namespace kernelarium::tuning {

/// A number of C++ without a sign.
struct NumberLiteral {
    Value value;        ///< an integer, or a double where there is a point or an exponent
    std::string suffix; ///< "u", "ull", "f": what the type hangs on
};

/// Decimal, hexadecimal, octal and binary integers up to 2^63 - 1, decimal floating numbers, digits parted by '.
/// Otherwise what is wrong: "`16q` is no number".
[[nodiscard]] std::variant<NumberLiteral, std::string> numberLiteral(std::string_view text);

} // namespace kernelarium::tuning
