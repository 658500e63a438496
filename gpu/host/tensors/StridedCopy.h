// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Layout.h"

#include <cstddef>
#include <cstdint>

namespace kernelarium::host {

/// Copies the elements of a view, each `width` bytes, to `to` in row-major order. `from` is where the element with the
/// number `first` of the view's storage lies; all that the view reaches has to be there.
void copyStrided(const tensor::Layout& view, std::size_t width, const std::byte* from, std::int64_t first,
                 std::byte* to);

} // namespace kernelarium::host
