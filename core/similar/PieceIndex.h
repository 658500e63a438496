// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/Archive.h"
#include "core/similar/CodePieces.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

namespace kernelarium::similar {

/// The pieces of every code of an archive, in a file of its own, so that a question reads these 40 MB for 30,000
/// kernels and not their texts. It holds nothing that the archive has not: a damaged one is made again.
///
/// Errors: "busy", "disk_full", "unwritable_file", "not_an_index", "newer_index", "index_failure", the archive's.
struct PieceIndex {
    std::filesystem::path path;

    /// Of an archive: "<archive>.pieces" beside it; where that folder cannot be written and there is no such file yet,
    /// a file in kernelarium/pieces/ of the XDG cache folder.
    [[nodiscard]] static PieceIndex of(const std::filesystem::path& archive);

    struct Update {
        std::size_t added = 0;   ///< codes
        std::size_t dropped = 0; ///< that the archive has no more
    };
    using Progress = std::function<void(std::size_t done, std::size_t all)>;
    /// Adds what the archive has and the index lacks, 512 codes at a time, and drops what it has no more. What was
    /// added stays when it is stopped ("cancelled") or killed; the next call goes on from there. Several processes may
    /// do it at once.
    Result<Update> update(archive::Archive& archive, const Progress& progress = {},
                          const std::stop_token& stop = {}) const;

    /// For each row of the table the share of pieces that its code and this one have in common (sharedPieces); NaN
    /// where the index lacks its code.
    [[nodiscard]] Result<std::vector<float>> likeness(const archive::KernelTable& table, const Pieces& pieces,
                                                      const std::stop_token& stop = {}) const;
};

} // namespace kernelarium::similar
