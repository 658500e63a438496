// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/kernelgen/convolution/Tiles.h"
#include "core/task/Card.h"

#include <string>

namespace kernelarium::kernelgen::convolution {

/// The kernel file. Extents are those of the arguments when it is called; what the description fixes is checked there.
/// Error "unsupported": an argument of the call that has no form here.
[[nodiscard]] Result<std::string> kernelText(const Description& d, const Tiles& tiles, const task::Card& card);

} // namespace kernelarium::kernelgen::convolution
