// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/kernelgen/convolution/Tiles.h"
#include "core/task/Card.h"

#include <string>

namespace kernelarium::kernelgen::convolution {

/// The host function that makes means and scales of a norm.
[[nodiscard]] std::string normHostText(const Description& statistics, const Norm& norm, const Tiles& tiles);
/// forward and the module. Error "unsupported": an argument of the call that has no form here.
[[nodiscard]] Result<std::string> forwardText(const Description& d, const Tiles& tiles, const task::Card& card);

} // namespace kernelarium::kernelgen::convolution
