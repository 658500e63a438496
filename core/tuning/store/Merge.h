// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Header.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <vector>

namespace kernelarium::tuning {

struct MergedStores {
    std::uint64_t records = 0; ///< in the result, its header left out
    std::uint64_t dropped = 0; ///< were there twice
};

/// Brings stores of one search, its shards above all, into `target`: made when absent, else one more input. Of records
/// of one kind and key the result has one (see Record): of candidates and units that of the greatest
/// Judged::standing(), then the later. Where a rung refused a candidate in one record and another stood it, the result
/// has both, so that the contradiction can be told; the refusal is what counts. The order of the inputs does not
/// matter, nor what is merged with what first; the result is ordered by time. All or nothing: on an error the target is
/// as it was. Inputs may be written to meanwhile: what is whole is taken. Errors: "other_search" (says what differs),
/// "busy" (a search writes to the target), "cancelled", "unwritable_file", "disk_full", "too_large", and those of
/// StoreReader.
[[nodiscard]] Result<MergedStores> mergeStores(const std::filesystem::path& target,
                                               const std::vector<std::filesystem::path>& inputs,
                                               const std::stop_token& stop = {});

} // namespace kernelarium::tuning
