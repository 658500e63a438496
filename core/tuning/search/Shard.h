// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace kernelarium::tuning {

/// A part of a search that several processes share: the I-th of N.
struct Shard {
    unsigned index = 1; ///< from 1
    unsigned count = 1;

    [[nodiscard]] bool whole() const { return count <= 1; }
    /// Of things that are numbered in the same way for all: each belongs to one shard, neighbours to different ones.
    [[nodiscard]] bool has(std::uint64_t number) const;
    /// "3/8".
    [[nodiscard]] std::string text() const;
    bool operator==(const Shard&) const = default;
};

/// "I/N" with I from 1 to N. Error "bad_input".
[[nodiscard]] Result<Shard> shardOf(std::string_view text);

} // namespace kernelarium::tuning
