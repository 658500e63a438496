// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/Import.h"

#include "core/archive/ArchiveFile.h"
#include "core/archive/RowWriter.h"
#include "core/archive/Schema.h"
#include "core/archive/WorkFile.h"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::archive {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t batchRows = 2048;
constexpr std::size_t batchBytes = 32u << 20;

std::size_t textBytes(const SourceRow& row) {
    std::size_t bytes = row.extraJson.size();
    for (const auto& text : row.texts)
        bytes += text ? text->size() : 0;
    return bytes;
}

Error cancelled() {
    return {"cancelled", "The import was cancelled; the archive is as it was."};
}

/// Reads the sources in batches into an open database and counts what happened.
class ImportRun {
public:
    ImportRun(sqlite::Database& database, std::span<RowSource* const> sources, const ImportOptions& options)
        : m_writer(database)
        , m_sources(sources)
        , m_options(options) {}

    Result<ImportReport> run() {
        for (RowSource* source : m_sources)
            if (auto read = readSource(*source); !read) return read.error();
        m_report.seconds = seconds();
        for (const RowSource* source : m_sources)
            m_report.bytesRead += source->bytesRead();
        if (!m_sources.empty()) tell(*m_sources.back(), true);
        return m_report;
    }

private:
    using Clock = std::chrono::steady_clock;

    Result<void> readSource(RowSource& source) {
        while (true) {
            if (m_options.stop.stop_requested()) return cancelled();
            SourceRow row;
            SourceProblem problem;
            auto status = source.next(row, problem, m_options.stop);
            if (!status) return status.error();
            if (*status == RowStatus::stopped) return cancelled();
            if (*status == RowStatus::end) break;
            if (*status == RowStatus::problem)
                skip(source, std::move(problem));
            else
                take(source, std::move(row));
            if (m_batch.size() >= batchRows || m_batchBytes >= batchBytes)
                if (auto flushed = flush(); !flushed) return flushed;
            tell(source, false);
        }
        return flush();
    }

    void skip(const RowSource& source, SourceProblem problem) {
        ++m_report.skipped;
        if (m_report.skippedRows.size() < m_options.remarkLimit)
            m_report.skippedRows.push_back({source.name(), problem.position, std::move(problem.reason)});
    }

    void take(const RowSource& source, SourceRow row) {
        ++m_report.rowsRead;
        m_batchBytes += textBytes(row);
        m_batch.emplace_back(std::move(row)).origin = source.name();
    }

    Result<void> flush() {
        m_writer.learn(m_batch);
        for (const auto& pending : m_batch) {
            if (m_options.stop.stop_requested()) return cancelled();
            count(pending, m_writer.write(pending));
        }
        m_batch.clear();
        m_batchBytes = 0;
        return {};
    }

    void count(const PendingRow& pending, const WriteOutcome& outcome) {
        m_report.added += outcome.kind == WriteOutcome::Kind::added;
        m_report.unchanged += outcome.kind == WriteOutcome::Kind::unchanged;
        m_report.completed += outcome.kind == WriteOutcome::Kind::completed;
        if (outcome.conflicts.empty()) return;
        ++m_report.conflicts;
        if (m_report.conflictingRows.size() < m_options.remarkLimit)
            m_report.conflictingRows.push_back(
                {pending.origin, pending.row.position,
                 fmt::format("the archived kernel differs in {}; what is archived was kept",
                             fmt::join(outcome.conflicts, ", "))});
    }

    void tell(const RowSource& current, bool last) {
        if (!m_options.progress) return;
        if (const auto now = Clock::now(); !last && now - m_told < std::chrono::milliseconds(100))
            return;
        else
            m_told = now;
        ImportProgress progress;
        progress.source = current.name();
        bool totalKnown = true;
        for (const RowSource* source : m_sources) {
            progress.bytesRead += source->bytesRead();
            progress.bytesTotal += source->bytesTotal();
            totalKnown = totalKnown && source->bytesTotal() > 0;
        }
        if (!totalKnown) progress.bytesTotal = 0;
        progress.rowsRead = m_report.rowsRead;
        progress.rowsAdded = m_report.added;
        progress.problems = m_report.skipped;
        progress.seconds = seconds();
        m_options.progress(progress);
    }

    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - m_started).count();
    }

    RowWriter m_writer;
    std::span<RowSource* const> m_sources;
    const ImportOptions& m_options;
    ImportReport m_report;
    std::vector<PendingRow> m_batch;
    std::size_t m_batchBytes = 0;
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_told = m_started;
};

Result<ImportReport> importInto(const fs::path& work, int version, std::span<RowSource* const> sources,
                                const ImportOptions& options) {
    sqlite::Database database(work, sqlite::Database::Access::exclusive);
    // The work file is thrown away unless everything succeeds, so it needs no journal.
    database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
    if (version < schemaVersion) migrate(database, version);
    database.execute("BEGIN");
    auto report = ImportRun(database, sources, options).run();
    if (report) database.execute("COMMIT");
    return report;
}

} // namespace

Result<ImportReport> importRows(const fs::path& path, std::span<RowSource* const> sources,
                                const ImportOptions& options) {
    int version = 0;
    std::error_code code;
    if (fs::exists(path, code)) {
        auto known = checkArchiveFile(path);
        if (!known) return known.error();
        if (auto free = checkNotInUse(path); !free) return free.error();
    }
    auto work = WorkFile::begin(path);
    if (!work) return work.error();
    if (work->targetExisted()) {
        auto known = checkArchiveFile(work->path());
        if (!known) return known.error();
        version = *known;
    }
    auto imported = guarded(path, [&] { return importInto(work->path(), version, sources, options); });
    if (!imported) return imported.error();
    auto report = std::move(imported).value();
    if (!report) return report;
    const bool upgraded = work->targetExisted() && version < schemaVersion;
    const bool changed = report->added > 0 || report->completed > 0 || upgraded;
    if (changed)
        if (auto committed = work->commit(); !committed) return committed.error();
    return report;
}

} // namespace kernelarium::archive
