// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/ImportJournal.h"
#include "core/archive/import/RowWriter.h"

#include <chrono>

namespace kernelarium::archive {

/// Reads the sources in batches, one transaction each, into an open work file and counts what happened.
/// Throws what SQLite throws.
class ImportRun {
public:
    /// `journal`: where each batch is recorded; null: nowhere. `state`: where an earlier run was interrupted.
    ImportRun(sqlite::Database& database, std::span<RowSource* const> sources, const ImportOptions& options,
              ImportJournal* journal, std::optional<ImportState> state);

    Result<ImportReport> run();

private:
    using Clock = std::chrono::steady_clock;

    Result<void> readSource(RowSource& source);
    void skip(const RowSource& source, SourceProblem problem);
    void take(const RowSource& source, SourceRow row);
    Result<void> flush();
    void count(const PendingRow& pending, const WriteOutcome& outcome);
    void tellArrived();
    void tell(const RowSource& current, bool last);
    [[nodiscard]] double seconds() const;

    sqlite::Database& m_database;
    RowWriter m_writer;
    std::span<RowSource* const> m_sources;
    const ImportOptions& m_options;
    ImportJournal* m_journal;
    ImportState m_state;
    ImportReport& m_report = m_state.report;
    std::uint64_t m_bytesResumed = 0;
    std::vector<PendingRow> m_batch;
    std::size_t m_batchBytes = 0;
    std::int64_t m_lastArrived = 0; ///< the number of the last kernel that was told of
    std::size_t m_unrecorded = 0;   ///< rows and problems since the last transaction
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_told = m_started;
};

} // namespace kernelarium::archive
