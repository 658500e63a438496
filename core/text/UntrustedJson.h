// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace kernelarium::text {

/// Levels of lists and objects in each other. No document of the program's own has more than some ten; reading, copying
/// and writing a document takes stack for each.
inline constexpr int deepestJson = 100;

/// Whether a text, taken for JSON, has more levels.
[[nodiscard]] bool nestsTooDeeply(std::string_view json);

/// A document of others; `is_discarded()` where it is not JSON or nests too deeply.
template <class Json = nlohmann::json> [[nodiscard]] Json untrustedJson(std::string_view text) {
    if (nestsTooDeeply(text)) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false);
}

} // namespace kernelarium::text
