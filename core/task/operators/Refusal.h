// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/Layout.h"

#include <string_view>

namespace kernelarium::task::operators {

/// Why an operator refuses its arguments, where no tensor can be seen as they say: Error "bad_argument".
[[nodiscard]] Error refusal(std::string_view op, const tensor::LayoutError& error);

} // namespace kernelarium::task::operators
