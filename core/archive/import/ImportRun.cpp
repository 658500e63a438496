// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/ImportRun.h"

#include "core/archive/store/TableReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::archive {
namespace {

constexpr std::size_t batchBytes = 32u << 20;
constexpr std::size_t batchProblems = 32768; // they weigh nothing, but a mark behind them is worth a write

std::size_t textBytes(const SourceRow& row) {
    std::size_t bytes = row.extraJson.size();
    for (const auto& text : row.texts)
        bytes += text ? text->size() : 0;
    return bytes;
}

Error importCancelled() {
    return {"cancelled", "The import was cancelled; the archive is as it was."};
}

} // namespace

ImportRun::ImportRun(sqlite::Database& database, std::span<RowSource* const> sources, const ImportOptions& options,
                     ImportJournal* journal, std::optional<ImportState> state)
    : m_database(database)
    , m_writer(database, options.update)
    , m_sources(sources)
    , m_options(options)
    , m_journal(journal) {
    if (state) m_state = std::move(*state);
}

Result<ImportReport> ImportRun::run() {
    const bool resumed = m_report.rowsResumed > 0;
    if (resumed)
        if (auto found = m_sources[m_state.source]->resume(m_state.mark); !found) return found.error();
    for (std::size_t i = 0; i < m_sources.size(); ++i)
        m_bytesResumed += i < m_state.source ? m_sources[i]->bytesTotal() : m_sources[i]->bytesRead();
    for (; m_state.source < m_sources.size(); ++m_state.source)
        if (auto read = readSource(*m_sources[m_state.source]); !read) return read.error();
    m_report.seconds = seconds();
    for (const RowSource* source : m_sources)
        m_report.bytesRead += source->bytesRead();
    if (!m_sources.empty()) {
        m_state.source = m_sources.size() - 1;
        tell(*m_sources.back(), true);
    }
    return m_report;
}

Result<void> ImportRun::readSource(RowSource& source) {
    while (true) {
        if (m_options.stop.stop_requested()) return importCancelled();
        SourceRow row;
        SourceProblem problem;
        auto status = source.next(row, problem, m_options.stop);
        if (!status) return status.error();
        if (*status == RowStatus::stopped) return importCancelled();
        if (*status == RowStatus::end) break;
        ++m_unrecorded;
        if (*status == RowStatus::problem)
            skip(source, std::move(problem));
        else
            take(source, std::move(row));
        if (m_batch.size() >= m_options.batchRows || m_batchBytes >= batchBytes || m_unrecorded >= batchProblems)
            if (auto flushed = flush(); !flushed) return flushed;
        tell(source, false);
    }
    return flush();
}

void ImportRun::skip(const RowSource& source, SourceProblem problem) {
    ++m_report.skipped;
    if (m_report.skippedRows.size() < m_options.remarkLimit)
        m_report.skippedRows.push_back({source.name(), problem.position, std::move(problem.reason)});
}

void ImportRun::take(const RowSource& source, SourceRow row) {
    ++m_report.rowsRead;
    m_batchBytes += textBytes(row);
    m_batch.emplace_back(std::move(row)).origin = source.name();
}

Result<void> ImportRun::flush() {
    m_database.execute("BEGIN");
    m_writer.learn(m_batch);
    for (const auto& pending : m_batch) {
        if (m_options.stop.stop_requested()) return importCancelled();
        count(pending, m_writer.write(pending));
    }
    m_state.mark = m_sources[m_state.source]->mark();
    if (m_journal != nullptr) m_journal->record(m_state);
    m_database.execute("COMMIT");
    tellArrived();
    m_batch.clear();
    m_batchBytes = 0;
    m_unrecorded = 0;
    return {};
}

void ImportRun::count(const PendingRow& pending, const WriteOutcome& outcome) {
    m_report.added += outcome.kind == WriteOutcome::Kind::added;
    m_report.unchanged += outcome.kind == WriteOutcome::Kind::unchanged;
    m_report.completed += outcome.kind == WriteOutcome::Kind::completed;
    m_report.updated += outcome.kind == WriteOutcome::Kind::updated;
    if (outcome.conflicts.empty()) return;
    ++m_report.conflicts;
    if (m_report.conflictingRows.size() < m_options.remarkLimit)
        m_report.conflictingRows.push_back(
            {pending.origin, pending.row.position,
             fmt::format("the archived kernel differs in {}; the archived values were kept",
                         fmt::join(outcome.conflicts, ", "))});
}

void ImportRun::tellArrived() {
    if (!m_options.arrived) return;
    KernelTable arrived;
    appendKernels(m_database, m_lastArrived, arrived);
    if (arrived.size() == 0) return;
    m_lastArrived = arrived.id.back();
    m_options.arrived(arrived);
}

void ImportRun::tell(const RowSource& current, bool last) {
    if (!m_options.progress) return;
    if (const auto now = Clock::now(); !last && now - m_told < std::chrono::milliseconds(100))
        return;
    else
        m_told = now;
    ImportProgress progress;
    progress.source = current.name();
    bool totalKnown = true;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const std::uint64_t total = m_sources[i]->bytesTotal();
        progress.bytesRead +=
            i < m_state.source ? std::max(total, m_sources[i]->bytesRead()) : m_sources[i]->bytesRead();
        progress.bytesTotal += total;
        totalKnown = totalKnown && total > 0;
    }
    if (!totalKnown) progress.bytesTotal = 0;
    progress.rowsRead = m_report.rowsRead;
    progress.rowsAdded = m_report.added;
    progress.problems = m_report.skipped;
    progress.rowsResumed = std::min(m_report.rowsResumed, m_report.rowsRead);
    progress.bytesResumed = m_bytesResumed;
    progress.seconds = seconds();
    m_options.progress(progress);
}

double ImportRun::seconds() const {
    return std::chrono::duration<double>(Clock::now() - m_started).count();
}

} // namespace kernelarium::archive
