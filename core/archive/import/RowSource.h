// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/TextKind.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace kernelarium::archive {

/// One kernel in the published column set. Times in milliseconds; a null or missing column is an empty
/// optional.
struct SourceRow {
    std::uint64_t position = 0; ///< line number (from 1) or row number in the source
    std::string opName;
    std::int64_t level = 0;
    std::int64_t task = 0;
    std::string name;
    std::optional<double> runtime;
    std::optional<double> nativeRuntime;
    std::optional<double> compileRuntime;
    std::optional<double> speedupNative;
    std::optional<double> speedupCompile;
    std::optional<bool> correct;
    std::optional<double> maxDiff;
    std::optional<std::int64_t> originalIndex;                   ///< `__index_level_0__`
    std::array<std::optional<std::string>, textKindCount> texts; ///< by TextKind; cudaCode is always there
    std::string extraJson; ///< the columns that are not published, as one JSON object; empty when there are none

    [[nodiscard]] const std::string& code() const { return *texts[indexOf(TextKind::cudaCode)]; }
};

/// Why a row cannot be taken. The source goes on with the next one.
struct SourceProblem {
    std::uint64_t position = 0;
    std::string reason;
};

enum class RowStatus {
    row,     ///< the row was filled in
    problem, ///< the problem was filled in
    end,     ///< nothing more comes
    stopped  ///< a stop was asked for
};

/// How far a source was read.
struct SourceMark {
    std::uint64_t bytes = 0;
    std::uint64_t rows = 0; ///< or lines
};

/// Where an import reads rows from: JSON lines, Parquet, any other table format through the same questions.
class RowSource {
public:
    virtual ~RowSource() = default;

    /// The next row, or the next problem. An Error means that the source cannot be read any further.
    virtual Result<RowStatus> next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) = 0;

    [[nodiscard]] virtual std::string name() const = 0;         ///< kept as the origin of the rows
    [[nodiscard]] virtual std::uint64_t bytesRead() const = 0;  ///< so far
    [[nodiscard]] virtual std::uint64_t bytesTotal() const = 0; ///< 0 when not known

    /// What tells this file, unchanged, from every other; empty: reading cannot be taken up again later.
    [[nodiscard]] virtual std::string identity() const { return {}; }
    /// Behind the row or problem that came last.
    [[nodiscard]] virtual SourceMark mark() const { return {}; }
    /// Before the first next(): goes on where a source of the same identity was at that mark.
    virtual Result<void> resume(const SourceMark&) {
        return Error{"unsupported", name() + " can only be read from its beginning."};
    }
};

} // namespace kernelarium::archive
