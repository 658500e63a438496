// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Runner.h"

namespace kernelarium::verify {

std::uint64_t OutputPlace::addressOf(std::int64_t element) const {
    if (elementBytes == 0 || element < 0 || element >= tensor::elementCount(sizes)) return 0;
    std::int64_t offset = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
        offset += element % sizes[d] * strides[d];
        element /= sizes[d];
    }
    return address + std::uint64_t(offset) * elementBytes;
}

} // namespace kernelarium::verify
