// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/NewArray.h"
#include "gpu/cluster/Work.h"

#include <map>
#include <nlohmann/json.hpp>

namespace kernelarium::cluster {

inline constexpr const char* graphWork = "graphs";

/// A search for graphs (core/superopt/search).
struct GraphArrayWish {
    std::string title;
    nlohmann::json subject;                      ///< as its store keeps it
    std::map<std::string, std::string> identity; ///< superopt::UnitSource::identity()
    std::filesystem::path target;
    std::string timeBudget; ///< of each task; empty: none
};

/// Makes the array of a search whose results go to the target. A task's part is a store of a shard, with what the
/// target knows of its units: the task is `superopt resume PART`. No more tasks than units are made. Errors:
/// "other_search" (the target is of another one), those of makeArray() and of the stores.
[[nodiscard]] Result<Book> makeGraphArray(const GraphArrayWish& search, const std::vector<std::string>& units,
                                          const Engine& engine, ArrayWish wish);

[[nodiscard]] Result<std::unique_ptr<Work>> makeGraphWork(const Plan& plan, const std::filesystem::path& folder);

/// Whether an array that was made is of this search. Error "other_search" says what differs.
[[nodiscard]] Result<void> checkGraphArray(const std::filesystem::path& folder, const GraphArrayWish& search);

} // namespace kernelarium::cluster
