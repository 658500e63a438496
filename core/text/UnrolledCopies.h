// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace kernelarium::text {

/// How many copies of one statement the `#pragma unroll`s of C++ source ask for: the product of the factors of loops
/// that lie in each other, where it is largest; 1 without any. A factor that is no literal counts as 4, as one that is
/// left out does: what it stands for is not looked up, nor how often the loop turns. At most 2^20.
[[nodiscard]] std::uint64_t unrolledCopies(std::string_view source);

} // namespace kernelarium::text
