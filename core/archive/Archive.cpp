// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/Archive.h"

#include "core/archive/ArchiveFile.h"
#include "core/archive/ArchiveReader.h"
#include "core/archive/FileIdentity.h"
#include "core/archive/QuerySql.h"
#include "core/archive/Schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::archive {
namespace {

Error unknownRow(std::int64_t kernel) {
    return {"unknown_kernel", fmt::format("No kernel has the number {}.", kernel),
            "`kernelarium-cli archive list` prints the numbers."};
}

double orMissing(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Of a damaged length, what is there.
template <class Bytes> Bytes copied(std::span<const std::uint8_t> stored) {
    Bytes bytes{};
    std::copy_n(stored.begin(), std::min(stored.size(), bytes.size()), bytes.begin());
    return bytes;
}

void append(KernelTable& table, const sqlite::Statement& row) {
    table.id.push_back(row.integer(0));
    table.level.push_back(static_cast<std::int32_t>(row.integer(1)));
    table.task.push_back(static_cast<std::int32_t>(row.integer(2)));
    table.opName.emplace_back(row.text(3));
    table.name.emplace_back(row.text(4));
    table.codeHash.push_back(copied<Digest>(row.blob(5)));
    table.codeBytes.push_back(static_cast<std::int32_t>(row.integer(6)));
    table.runtime.push_back(orMissing(row.optionalReal(7)));
    table.nativeRuntime.push_back(orMissing(row.optionalReal(8)));
    table.compileRuntime.push_back(orMissing(row.optionalReal(9)));
    table.speedupNative.push_back(orMissing(row.optionalReal(10)));
    table.speedupCompile.push_back(orMissing(row.optionalReal(11)));
    const bool known = !row.isNull(12);
    table.correct.push_back(!known                 ? KernelTable::Correct::unknown
                            : row.integer(12) != 0 ? KernelTable::Correct::yes
                                                   : KernelTable::Correct::no);
    table.maxDiff.push_back(orMissing(row.optionalReal(13)));
    const auto kind = static_cast<std::size_t>(row.integer(14));
    table.errorKind.push_back(kind < errorKindWords.size() ? static_cast<ErrorKind>(kind) : ErrorKind::other);
    table.hasError.push_back(!row.isNull(15));
    table.hasNcu.push_back(!row.isNull(16));
    table.hasTorch.push_back(!row.isNull(17));
    table.hasTidy.push_back(!row.isNull(18));
    table.originalIndex.push_back(row.optionalInteger(19).value_or(KernelTable::missingIndex));
    table.shape.push_back(copied<CodeShape>(row.blob(20)));
}

} // namespace

Archive::Reader::Reader(std::filesystem::path file, sqlite::Database opened)
    : path(std::move(file))
    , identity(fileIdentity(path))
    , database(std::move(opened))
    , texts(database) {}

KernelSummary Archive::Reader::summary(std::int64_t id) {
    if (!summaryStatement)
        summaryStatement = database.prepare("SELECT " + summarySelection() + " FROM kernel WHERE id = ?");
    if (!summaryStatement->bind(1, id).step()) throw std::runtime_error("a kernel is missing");
    auto kernel = summaryAt(*summaryStatement);
    summaryStatement->reset();
    return kernel;
}

Result<Archive> Archive::open(const std::filesystem::path& path) {
    auto version = checkArchiveFile(path);
    if (!version) return version.error();
    if (*version < schemaVersion) {
        if (auto upgraded = upgradeArchive(path); !upgraded) {
            Error error = upgraded.error();
            error.message = fmt::format("{} is of an older version and cannot be upgraded: {}", path.string(),
                                        error.message);
            return error;
        }
    }
    auto database = openForReading(path);
    if (!database) return database.error();
    return guarded(path, [&] {
        database->execute("SELECT count(*) FROM sqlite_schema"); // meets a damaged first page here
        return Archive(std::make_unique<Reader>(path, std::move(*database)));
    });
}

Archive::Archive(std::unique_ptr<Reader> reader)
    : m_reader(std::move(reader)) {}
Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

const std::filesystem::path& Archive::path() const {
    return m_reader->path;
}

bool Archive::changedOnDisk() const {
    return fileIdentity(m_reader->path) != m_reader->identity;
}

Result<std::int64_t> Archive::count(const KernelFilter& filter) {
    return guarded(path(), [&] {
        auto row = filtered(m_reader->database, "count(*)", filter);
        row.step();
        return row.integer(0);
    });
}

Result<std::vector<KernelSummary>> Archive::list(const KernelQuery& query) {
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
        auto row = m_reader->database.prepare("SELECT id, level, task, op_name, name, code_hash, code_bytes, "
                                              "runtime, native_runtime, compile_runtime, "
                                              "speedup_native, speedup_compile, correct, max_diff, "
                                              "error_kind, error_text, ncu_text, torch_text, "
                                              "tidy_text, original_index, shape FROM kernel LEFT JOIN code_shape "
                                              "ON text = code_text ORDER BY id");
        while (row.step())
            append(table, row);
        return table;
    });
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
    if (query.text.empty() && query.uses.empty() && query.kernels.filter == KernelFilter{})
        return Error{"bad_input", "The text to search for is empty."};
    auto result = guarded(path(), [&] { return m_reader->search(query, stop); });
    if (stop.stop_requested()) return Error{"cancelled", "The search was cancelled."};
    return result ? std::move(result).value() : Result<SearchResult>(result.error());
}

} // namespace kernelarium::archive
