// SPDX-License-Identifier: GPL-3.0-or-later
// Import, size and search of an archive of 30,000 kernels; the alternatives that the search was chosen
// against.
//
//     bench_archive [ROWS]
#include "core/archive/Archive.h"
#include "core/archive/Import.h"
#include "core/archive/JsonLines.h"
#include "core/archive/TextStore.h"
#include "core/sqlite/Sqlite.h"
#include "tests/benchmarks/archive_rows.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace kernelarium::archive;
using kernelarium::sqlite::Database;
using kernelarium::sqlite::SqliteError;

template <class Body> double milliseconds(Body&& body) {
    const auto started = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
}

template <class Body> double bestOf(int times, Body&& body) {
    double best = milliseconds(body);
    for (int i = 1; i < times; ++i)
        best = std::min(best, milliseconds(body));
    return best;
}

template <class T> T orDie(kernelarium::Result<T> result) {
    if (result) return std::move(result).value();
    fmt::print(stderr, "{}\n", result.error().text());
    std::exit(2);
}

double megabytes(std::uint64_t bytes) {
    return double(bytes) / 1e6;
}

/// The bytes that the pages of one table take.
std::int64_t tableBytes(Database& database, const std::string& name) {
    return database.number(
        fmt::format("SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name = '{}'", name));
}

void benchImport(const fs::path& rows, const fs::path& archive,
                 const kernelarium::benchmarks::RowsWritten& written) {
    std::uint64_t parsed = 0;
    const double parseOnly = milliseconds([&] {
        auto source = orDie(JsonLinesSource::open(rows));
        SourceRow row;
        SourceProblem problem;
        while (orDie(source.next(row, problem, {})) != RowStatus::end)
            ++parsed;
    });
    auto source = orDie(JsonLinesSource::open(rows));
    RowSource* sources[] = {&source};
    const auto report = orDie(importRows(archive, sources));
    auto again = orDie(JsonLinesSource::open(rows));
    sources[0] = &again;
    const auto repeated = orDie(importRows(archive, sources));
    fmt::print("import            {} rows, {:.0f} MB: {:.1f} s, {:.0f} rows/s, {:.0f} MB/s ({:.1f} x parsing "
               "alone)\n",
               report.added, megabytes(written.fileBytes), report.seconds,
               double(report.added) / report.seconds, megabytes(written.fileBytes) / report.seconds,
               report.seconds * 1000 / parseOnly);
    fmt::print("import again      {} added, {} unchanged: {:.1f} s\n", repeated.added, repeated.unchanged,
               repeated.seconds);

    Database database(archive, Database::Access::readOnly);
    const auto size = fs::file_size(archive);
    fmt::print("file              {:.1f} MB for {:.1f} MB of text: {:.1f} times smaller\n", megabytes(size),
               megabytes(written.textBytes), double(written.textBytes) / double(size));
    const auto code =
        database.number("SELECT sum(length(data)) FROM text WHERE id IN (SELECT code_text FROM kernel)");
    fmt::print("  code alone      {:.1f} MB for {:.1f} MB: {:.1f} times smaller; {} dictionaries\n",
               megabytes(std::uint64_t(code)), megabytes(written.codeBytes),
               double(written.codeBytes) / double(code), database.number("SELECT count(*) FROM dictionary"));
    fmt::print("  signatures      {:.1f} MB; kernel table {:.1f} MB\n",
               megabytes(std::uint64_t(tableBytes(database, "code_signature"))),
               megabytes(std::uint64_t(tableBytes(database, "kernel"))));
}

void benchQueries(Archive& archive) {
    std::size_t rows = 0;
    fmt::print("whole table       {:.1f} ms", bestOf(3, [&] { rows = orDie(archive.table()).size(); }));
    fmt::print(" for {} rows\n", rows);
    KernelQuery query;
    query.filter.correct = true;
    query.filter.minSpeedupNative = 1.5;
    query.sort = SortColumn::speedupNative;
    query.descending = true;
    query.limit = 100;
    fmt::print("filter and sort   {:.1f} ms for the first 100\n",
               bestOf(5, [&] { orDie(archive.list(query)); }));
    fmt::print("one kernel's code {:.3f} ms\n",
               bestOf(20, [&] { orDie(archive.text(1 + std::int64_t(rows) / 2, TextKind::cudaCode)); }));
}

/// What search would cost without signatures: every code decompressed and looked through.
double scanEverything(const fs::path& path, const std::string& needle) {
    Database database(path, Database::Access::readOnly);
    TextStore texts(database);
    std::int64_t found = 0;
    std::string code;
    return bestOf(2, [&] {
        auto row = database.prepare("SELECT code_text FROM kernel");
        while (row.step()) {
            texts.load(row.integer(0), code);
            found += memmem(code.data(), code.size(), needle.data(), needle.size()) != nullptr;
        }
    });
}

void benchSearch(const fs::path& path) {
    const double first = milliseconds([&] {
        auto archive = orDie(Archive::open(path));
        SearchQuery query;
        query.text = "__shfl_down_sync";
        query.kernels.limit = 200;
        orDie(archive.search(query));
    });
    fmt::print("search, cold      {:.1f} ms to open, load the signatures and find 200\n", first);
    auto archive = orDie(Archive::open(path));
    for (const char* text :
         {"__shfl_down_sync", "atomicAdd(&", "__launch_bounds__(256", "cublasSgemmStridedBatched",
          "wmma::fragment", "not_in_any_kernel", "float4", "<<", "@#"}) {
        SearchQuery query;
        query.text = text;
        query.kernels.limit = 200;
        SearchResult result;
        const double page = bestOf(3, [&] { result = orDie(archive.search(query)); });
        const auto pageHits = result.hits.size();
        query.kernels.limit = -1;
        const double all = bestOf(2, [&] { result = orDie(archive.search(query)); });
        fmt::print("search {:<26} first {:>3}: {:7.1f} ms   all {:>5}: {:7.1f} ms, {} texts read\n", text,
                   pageHits, page, result.hits.size(), all, result.textsScanned);
    }
    fmt::print("scan of all code  {:.0f} ms without signatures\n", scanEverything(path, "not_in_any_kernel"));
}

/// The alternative: an FTS5 trigram index without positions, whose candidates need the same check as ours.
void benchTrigramIndex(const fs::path& path, const fs::path& indexPath) {
    Database source(path, Database::Access::readOnly);
    TextStore texts(source);
    Database index(indexPath, Database::Access::exclusive);
    index.execute(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE code USING fts5(text, "
        "content='', detail=none, tokenize='trigram')");
    const double build = milliseconds([&] {
        index.execute("BEGIN");
        auto insert = index.prepare("INSERT INTO code (rowid, text) VALUES (?, ?)");
        auto row = source.prepare("SELECT DISTINCT code_text FROM kernel");
        std::string code;
        while (row.step()) {
            texts.load(row.integer(0), code);
            insert.bind(1, row.integer(0)).bind(2, std::string_view(code)).run();
        }
        index.execute("COMMIT");
    });
    fmt::print("FTS5 trigram      {:.1f} MB more, {:.1f} s to build\n", megabytes(fs::file_size(indexPath)),
               build / 1000);
    for (const std::string text : {"__shfl_down_sync", "__launch_bounds__(256", "not_in_any_kernel"}) {
        std::string
            match; // without positions there are no phrases: all trigrams, then the check of each candidate
        for (std::size_t i = 0; i + 3 <= text.size(); ++i)
            match += fmt::format("{}\"{}\"", i > 0 ? " AND " : "", text.substr(i, 3));
        std::size_t hits = 0;
        std::size_t read = 0;
        const double time = bestOf(3, [&] {
            hits = read = 0;
            auto row = index.prepare("SELECT rowid FROM code WHERE code MATCH ?");
            row.bind(1, std::string_view(match));
            std::string code;
            while (hits < 200 && row.step()) {
                texts.load(row.integer(0), code);
                ++read;
                hits += code.find(text) != std::string::npos;
            }
        });
        fmt::print("FTS5 {:<28} first {:>3}: {:7.1f} ms   {} texts read\n", text, hits, time, read);
    }
}

} // namespace

int main(int argc, char** argv) {
    const int rows = argc > 1 ? std::max(1000, std::atoi(argv[1])) : 30000;
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const fs::path shared = named != nullptr ? named : KERNELARIUM_SHARED_DIR;
    const fs::path folder = fs::temp_directory_path() / fmt::format("kernelarium-bench-{}", getpid());
    fs::create_directories(folder);
    const auto written =
        kernelarium::benchmarks::writeRows(folder / "rows.jsonl", shared / "archive_sample", rows, 1);
    fmt::print("{} rows, {:.0f} MB of code, mixed from {}\n", rows, megabytes(written.codeBytes),
               written.fromSample ? "the shared sample" : "lines of our own (the shared sample is absent)");
    const fs::path path = folder / "archive.sqlite";
    benchImport(folder / "rows.jsonl", path, written);
    {
        auto archive = orDie(Archive::open(path));
        benchQueries(archive);
    }
    benchSearch(path);
    try {
        benchTrigramIndex(path, folder / "index.sqlite");
    } catch (const SqliteError& error) {
        fmt::print("FTS5 trigram      not measured: {}\n", error.what());
    }
    fs::remove_all(folder);
    return 0;
}
