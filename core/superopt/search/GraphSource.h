// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/search/Units.h"
#include "core/superopt/search/UnitSource.h"
#include "core/task/Card.h"

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::superopt {

/// What is searched: graphs that compute what a card does at one of its sizes.
struct GraphSearch {
    task::Card card;
    std::string size = "full";
    mugraph::Limits limits;
};
/// For a search's store: all that makes the search again.
[[nodiscard]] nlohmann::json toJson(const GraphSearch& search);
/// Errors: "bad_input", "bad_card".
[[nodiscard]] Result<GraphSearch> graphSearchFrom(const nlohmann::json& json);

/// The enumerating generator (core/mugraph/search) as a source of units. Errors: "bad_input" (the size, a limit),
/// "unsupported" (mugraph::problemOf: what no graph has an operator for).
[[nodiscard]] Result<std::unique_ptr<UnitSource>> makeGraphSource(const GraphSearch& search);

} // namespace kernelarium::superopt
