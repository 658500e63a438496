// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Shard.h"
#include "core/tuning/store/Record.h"

#include <filesystem>
#include <map>
#include <string>

namespace kernelarium::tuning {

/// What a store is of: its first line.
struct Header {
    /// What is searched, in fields of the search's own choice, such as "source" (a hash), "space", "task", "device",
    /// "size", "versions", "seed". Two stores are of one search where all are the same.
    std::map<std::string, std::string> search;
    Shard shard;
};

[[nodiscard]] Result<Record> recordOf(const Header& header);
/// Errors: "bad_input" (it is none), "newer_store" (of a later version of the program).
[[nodiscard]] Result<Header> headerFrom(const Record& record);

/// Nothing where two headers are of one search, or what differs: "space is `A` there and `B` here". `stored` is there.
[[nodiscard]] std::string differenceOf(const Header& stored, const Header& wanted, const std::string& there = "there",
                                       const std::string& here = "here");

/// The file of a shard: "a.search.3-of-8", or the path itself for the whole.
[[nodiscard]] std::filesystem::path shardPath(const std::filesystem::path& path, const Shard& shard);

} // namespace kernelarium::tuning
