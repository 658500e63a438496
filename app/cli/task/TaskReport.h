// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "core/task/Cost.h"

#include <string>
#include <vector>

namespace kernelarium::cli {

// Task cards and their cost as text tables and as JSON documents, each ending with a newline.
[[nodiscard]] std::string listText(const std::vector<task::Card>& cards);
[[nodiscard]] std::string listJson(const std::vector<task::Card>& cards);
[[nodiscard]] std::string showText(const task::Card& card);
[[nodiscard]] std::string costText(const task::Card& card, const std::string& size, const task::Symbols& symbols,
                                   const task::Cost& cost);
[[nodiscard]] std::string costJson(const task::Card& card, const std::string& size, const task::Symbols& symbols,
                                   const task::Cost& cost);

} // namespace kernelarium::cli
