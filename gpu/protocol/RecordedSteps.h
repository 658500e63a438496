// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"

#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

/// One step as RecordMessages.h says. Reading throws where it is none; whether its indexes exist is for the reader of
/// the whole recording.
[[nodiscard]] nlohmann::json stepJson(const recording::Step& step);
[[nodiscard]] recording::Step stepFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
