// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/TextStore.h"
#include "core/sqlite/Sqlite.h"
#include "tests/benchmarks/archive_figures.h"

#include <cstring>
#include <unistd.h>

namespace kernelarium::benchmarks {
namespace {

namespace fs = std::filesystem;
using archive::TextStore;
using sqlite::Database;

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

/// The alternative: an FTS5 trigram index without positions, whose candidates need the same check as ours.
void benchTrigramIndex(const fs::path& path, const fs::path& indexPath) {
    Database source(path, Database::Access::readOnly);
    TextStore texts(source);
    Database index(indexPath, Database::Access::exclusive);
    index.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE code USING fts5(text, "
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
        std::string match; // without positions there are no phrases: all trigrams, then the check of each candidate
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

void alternativeFigures(const fs::path& folder) {
    const fs::path path = folder / "archive.sqlite";
    fmt::print("scan of all code  {:.0f} ms without signatures\n", scanEverything(path, "not_in_any_kernel"));
    try {
        benchTrigramIndex(path, folder / "index.sqlite");
    } catch (const sqlite::SqliteError& error) {
        fmt::print("FTS5 trigram      not measured: {}\n", error.what());
    }
}

} // namespace kernelarium::benchmarks
