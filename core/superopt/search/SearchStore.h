// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Store.h"

#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

/// What a search's store says of itself.
struct SearchSaid {
    tuning::Header header;
    nlohmann::json subject; ///< what the search is made of again
};

/// The header of a search of this identity; shard left out.
[[nodiscard]] tuning::Header searchHeader(const std::map<std::string, std::string>& identity);

/// Opens the store for a search, or makes it: a header with the search's identity (UnitSource::identity()), then
/// `subject`. Errors: those of tuning::Store::open().
[[nodiscard]] Result<tuning::Store> openSearchStore(const std::filesystem::path& path,
                                                    const std::map<std::string, std::string>& identity,
                                                    const nlohmann::json& subject, const tuning::Shard& shard = {});

/// Errors: those of StoreReader; "not_superopt" for the store of another search.
[[nodiscard]] Result<SearchSaid> readSearchStore(const std::filesystem::path& path);

} // namespace kernelarium::superopt
