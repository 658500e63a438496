// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/BroughtToolkit.h"
#include "core/toolkit/FoundToolkits.h"
#include "core/toolkit/Offer.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::cli {

/// What `toolkit show` says.
[[nodiscard]] std::string toolkitsText(const toolkit::Toolkits& found);
[[nodiscard]] nlohmann::json toolkitsJson(const toolkit::Toolkits& found, const std::filesystem::path& folder);

/// What is shown before a toolkit is brought: each wheel with its size and checksum, what all take, the licence.
[[nodiscard]] std::string offerText(const toolkit::Offer& offer, const std::filesystem::path& folder);
[[nodiscard]] nlohmann::json offerJson(const toolkit::Offer& offer, const std::filesystem::path& folder);

[[nodiscard]] nlohmann::json broughtJson(const toolkit::BroughtToolkit& brought);

} // namespace kernelarium::cli
