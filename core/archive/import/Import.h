// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/import/RowSource.h"
#include "core/archive/store/KernelTable.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::archive {

struct ImportProgress {
    std::string source; ///< the one being read
    std::uint64_t bytesRead = 0;
    std::uint64_t bytesTotal = 0; ///< of all sources; 0 when one of them does not know
    std::uint64_t rowsRead = 0;
    std::uint64_t rowsAdded = 0;
    std::uint64_t problems = 0;
    std::uint64_t rowsResumed = 0;  ///< of rowsRead: read before the import was interrupted
    std::uint64_t bytesResumed = 0; ///< of bytesRead
    double seconds = 0;             ///< since this run began

    [[nodiscard]] double rowsPerSecond() const { return seconds > 0 ? double(rowsRead - rowsResumed) / seconds : 0; }
    [[nodiscard]] double bytesPerSecond() const { return seconds > 0 ? double(bytesRead - bytesResumed) / seconds : 0; }
    /// At the rate so far; empty while that is not known.
    [[nodiscard]] std::optional<double> secondsLeft() const {
        const double rate = bytesPerSecond();
        if (bytesTotal == 0 || bytesRead > bytesTotal || rate <= 0) return std::nullopt;
        return double(bytesTotal - bytesRead) / rate;
    }
};

/// A row that was skipped, or a value that was not taken.
struct ImportRemark {
    std::string source;
    std::uint64_t position = 0;
    std::string text;
};

struct ImportOptions {
    std::stop_token stop = {};
    std::function<void(const ImportProgress&)> progress = {}; ///< ten times a second at most, and at the end
    std::size_t remarkLimit = 1000;                           ///< remarks kept of each kind; all are counted
    std::size_t batchRows = 2048; ///< rows of one transaction at most; what is not yet in one is lost by a kill
    /// After a transaction: the kernels that the archive will have and that were not told of before, its own from
    /// before the import included.
    std::function<void(const KernelTable&)> arrived = {};
    bool update = false; ///< where a row differs from the archived one, take the row's values
};

struct ImportReport {
    std::uint64_t rowsRead = 0;
    std::uint64_t added = 0;
    std::uint64_t unchanged = 0; ///< already there with the same values
    std::uint64_t completed = 0; ///< already there; values that were missing were filled in
    std::uint64_t updated = 0;   ///< already there with another value, which was replaced (ImportOptions::update)
    std::uint64_t skipped = 0;   ///< bad rows
    std::uint64_t conflicts = 0; ///< already there with another value, which was kept
    std::vector<ImportRemark> skippedRows;
    std::vector<ImportRemark> conflictingRows;
    std::uint64_t bytesRead = 0;
    std::uint64_t rowsResumed = 0; ///< read (or skipped) by an import that was killed, whose work was taken over
    double seconds = 0;            ///< of this run
};

/// Adds the rows of all sources to the archive at `path`, which is made when it does not exist and there is a
/// row for it, and upgraded when it is of an older version. The key of a kernel is (level, task, name, code
/// hash). What is archived stays: an incoming row only fills in what is missing, so importing anything again
/// changes nothing; with ImportOptions::update a row that differs takes the archived one's place. Memory is bounded by
/// a batch of rows (32 MB of text) and the longest row allowed.
///
/// All or nothing: the rows go into a copy that takes the file's place at the end; a cancelled, failed or
/// killed import leaves the file byte for byte as it was. A killed one leaves its copy, batch by batch: the next
/// import of the same unchanged files into the same unchanged archive goes on where it was. Readers are not disturbed;
/// they see the new rows when they open the file again. Errors: those of checkArchiveFile for the target, "busy",
/// "unwritable_file", "disk_full", "cancelled", "unreadable_file" when a source breaks off.
Result<ImportReport> importRows(const std::filesystem::path& path, std::span<RowSource* const> sources,
                                const ImportOptions& options = {});

} // namespace kernelarium::archive
