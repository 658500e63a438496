// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// How far an import has come.
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

/// How an import is made, watched and stopped.
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

/// What an import did with the rows that it read.
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

} // namespace kernelarium::archive
