// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/Limits.h"

#include <fmt/format.h>

namespace kernelarium::tensor {

std::string tooLarge(const Shape& shape) {
    std::int64_t elements = 1;
    bool fits = true;
    for (const std::int64_t size : shape) {
        if (size > largestDimension) return fmt::format("a dimension of {} ({} is the most)", size, largestDimension);
        if (size > 1) fits = fits && !__builtin_mul_overflow(elements, size, &elements) && elements <= mostElements;
    }
    return fits ? std::string() : fmt::format("more than {} elements", mostElements);
}

} // namespace kernelarium::tensor
