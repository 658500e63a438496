// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/kernelgen/convolution/Tiles.h"
#include "core/kernelgen/levels/Levels.h"
#include "core/task/Card.h"

#include <string>

namespace kernelarium::kernelgen::convolution {

/// What the file of kernelText(d, tiles, card) does, at one of the card's sizes. Error "bad_input": no such size.
[[nodiscard]] Result<Levels> levelsOf(const Description& d, const Tiles& tiles, const task::Card& card,
                                      const std::string& size);

} // namespace kernelarium::kernelgen::convolution
