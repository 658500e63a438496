// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/Archive.h"

#include "core/archive/store/ArchiveFile.h"
#include "core/archive/store/ArchiveReader.h"
#include "core/archive/store/CodeSignature.h"
#include "core/archive/store/QuerySql.h"
#include "core/archive/store/Schema.h"
#include "core/archive/store/TableReader.h"
#include "core/files/FileIdentity.h"

#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

Error unknownRow(std::int64_t kernel) {
    return {"unknown_kernel", fmt::format("No kernel has the number {}.", kernel),
            "The Archive panel lists the kernels; `kernelarium-cli archive list` prints their numbers."};
}

/// While it lives, the archive's queries end when the caller wants them no more.
class Until {
public:
    Until(sqlite::Database& database, const std::stop_token& stop)
        : m_database(database) {
        m_database.endWith(stop);
    }
    ~Until() { m_database.endWith({}); }
    Until(const Until&) = delete;
    Until& operator=(const Until&) = delete;

private:
    sqlite::Database& m_database;
};

} // namespace

Result<Archive> Archive::open(const std::filesystem::path& path) {
    auto version = checkArchiveFile(path);
    if (!version) return version.error();
    if (*version < schemaVersion) {
        if (auto upgraded = upgradeArchive(path); !upgraded) {
            Error error = upgraded.error();
            error.message =
                fmt::format("{} is of an older version and cannot be upgraded: {}", path.string(), error.message);
            return error;
        }
    }
    auto database = openForReading(path);
    if (!database) return database.error();
    return guarded(path, [&] { return Archive(std::make_unique<ArchiveReader>(path, std::move(*database))); });
}

Archive::Archive(std::unique_ptr<ArchiveReader> reader)
    : m_reader(std::move(reader)) {}
Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

const std::filesystem::path& Archive::path() const {
    return m_reader->path;
}

bool Archive::changedOnDisk() const {
    return files::fileIdentity(m_reader->path) != m_reader->identity;
}

Result<std::int64_t> Archive::count(const KernelFilter& filter) {
    return guarded(path(), [&] {
        auto row = filtered(m_reader->database, "count(level)", filter);
        row.step();
        return row.integer(0);
    });
}

Result<std::vector<KernelSummary>> Archive::list(const KernelQuery& query) {
    if (isOfVerdicts(query.sort))
        return Error{"bad_input", "An archive's file does not have our verdicts, so it cannot be sorted by them.",
                     "Search it with them: Archive::search()."};
    return guarded(path(), [&] {
        std::vector<KernelSummary> kernels;
        auto row = sortedAndPaged(m_reader->database, summarySelection(), query);
        while (row.step())
            kernels.push_back(summaryAt(row));
        return kernels;
    });
}

Result<KernelTable> Archive::table() {
    return guarded(path(), [&] {
        KernelTable table;
        appendKernels(m_reader->database, 0, table);
        return table;
    });
}

Result<std::shared_ptr<const KernelTable>> Archive::sharedTable() {
    return guarded(path(), [&] { return m_reader->rows().table; });
}

Result<void> Archive::prepareSearch() {
    auto prepared = guarded(path(), [&] {
        m_reader->rows();
        m_reader->signatures();
        return true;
    });
    if (!prepared) return prepared.error();
    return {};
}

Result<std::optional<std::string>> Archive::text(std::int64_t kernel, TextKind kind) {
    const auto column = textKinds[indexOf(kind)].column;
    auto loaded = guarded(path(), [&]() -> Result<std::optional<std::string>> {
        auto row = m_reader->database.prepare(fmt::format("SELECT {} FROM kernel WHERE id = ?", column));
        if (!row.bind(1, kernel).step()) return unknownRow(kernel);
        if (row.isNull(0)) return std::optional<std::string>();
        std::string text;
        m_reader->texts.load(row.integer(0), text);
        return std::optional(std::move(text));
    });
    return loaded ? std::move(loaded).value() : Result<std::optional<std::string>>(loaded.error());
}

Result<std::string> Archive::extraJson(std::int64_t kernel) {
    return guarded(path(), [&] {
        auto row = m_reader->database.prepare("SELECT json FROM kernel_extra WHERE kernel = ?");
        return row.bind(1, kernel).step() ? std::string(row.text(0)) : std::string();
    });
}

Result<SearchResult> Archive::search(const SearchQuery& query, const std::stop_token& stop) {
    if (query.text.empty() && query.uses.empty() && !query.condition && !isOfVerdicts(query.kernels.sort) &&
        query.kernels.filter == KernelFilter{})
        return Error{"bad_input", "The text to search for is empty."};
    const Until until(m_reader->database, stop);
    auto result = guarded(path(), [&] { return m_reader->search(query, stop); });
    if (stop.stop_requested()) return Error{"cancelled", "The search was cancelled."};
    return result ? std::move(result).value() : Result<SearchResult>(result.error());
}

Result<void> Archive::walk(const SearchQuery& query, const FoundRows& found, const std::stop_token& stop) {
    const Until until(m_reader->database, stop);
    auto result = guarded(path(), [&] { return m_reader->walk(query, found, stop); });
    if (stop.stop_requested()) return Error{"cancelled", "The search was cancelled."};
    if (!result) return result.error();
    auto walked = std::move(result).value();
    if (!walked) return walked.error();
    return {};
}

} // namespace kernelarium::archive
