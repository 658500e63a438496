// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::task {

/// A card as a value, for those who put it into a document of theirs: what writeCard writes, its keys in alphabetical
/// order.
[[nodiscard]] nlohmann::json toJson(const Card& card);
/// Reads and checks (core/task/CardCheck.h); of a document that does not nest too deeply. Error "bad_card".
Result<Card> cardFromJson(const nlohmann::json& json);

} // namespace kernelarium::task
