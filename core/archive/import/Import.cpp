// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/Import.h"

#include "core/archive/import/ImportRun.h"
#include "core/archive/store/ArchiveFile.h"
#include "core/archive/store/Schema.h"
#include "core/files/FileIdentity.h"
#include "core/files/WorkFile.h"

#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

namespace fs = std::filesystem;

ImportPlan planOf(const fs::path& target, std::span<RowSource* const> sources, const ImportOptions& options) {
    ImportPlan plan;
    plan.target = files::fileIdentity(target);
    for (const RowSource* source : sources)
        plan.sources.push_back(source->identity());
    plan.update = options.update;
    return plan;
}

/// A kill leaves what was committed; that takes a journal, but none of the waiting for the disk.
sqlite::Database openWork(const fs::path& work) {
    sqlite::Database database(work, sqlite::Database::Access::exclusive);
    database.execute("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
    return database;
}

/// How far an import of the same plan had come that left this work file behind.
std::optional<ImportState> stateLeftIn(const fs::path& work, const ImportPlan& plan) {
    try {
        auto database = openWork(work);
        if (database.number("PRAGMA user_version") != schemaVersion) return std::nullopt;
        checkArchiveSchema(database, work, createImportJournal);
        return ImportJournal(database).find(plan);
    } catch (const std::exception&) {
        return std::nullopt; // it was killed too early, or is not a work file: begin again
    }
}

/// What updated rows no longer name.
void removeUnusedTexts(sqlite::Database& database) {
    std::string used;
    for (const auto& info : textKinds)
        used += fmt::format("{}SELECT {} FROM kernel WHERE {} IS NOT NULL", used.empty() ? "" : " UNION ALL ",
                            info.column, info.column);
    database.execute(fmt::format("DELETE FROM text WHERE id NOT IN ({})", used));
}

Result<ImportReport> importInto(const fs::path& work, const fs::path& target, int version,
                                std::span<RowSource* const> sources, const ImportOptions& options,
                                const ImportPlan& plan, std::optional<ImportState> state) {
    auto database = openWork(work);
    ImportJournal journal(database);
    if (!state) {
        if (version > 0) inspectBeforeChange(database, target);
        if (version < schemaVersion) migrate(database, version);
        if (plan.canBeResumed()) journal.begin(plan);
    }
    auto report =
        ImportRun(database, sources, options, plan.canBeResumed() ? &journal : nullptr, std::move(state)).run();
    if (!report) return report;
    if (report->updated > 0) removeUnusedTexts(database);
    journal.remove();
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
    const ImportPlan plan = planOf(path, sources, options);
    std::optional<ImportState> state;
    auto work = files::WorkFile::begin(path, [&](const fs::path& left) {
        state = stateLeftIn(left, plan);
        return state.has_value();
    });
    if (!work) return work.error();
    if (work->targetExisted()) {
        auto known = checkArchiveFile(work->path());
        if (!known) return known.error();
        version = *known;
    }
    const bool upgraded = work->targetExisted() && version < schemaVersion;
    auto imported = guarded(
        path, [&] { return importInto(work->path(), path, version, sources, options, plan, std::move(state)); });
    if (!imported) return imported.error();
    auto report = std::move(imported).value();
    if (!report) return report;
    const bool changed = report->added > 0 || report->completed > 0 || report->updated > 0 || upgraded;
    if (changed)
        if (auto committed = work->commit(); !committed) return committed.error();
    return report;
}

} // namespace kernelarium::archive
