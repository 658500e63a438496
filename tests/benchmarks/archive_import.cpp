// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/Import.h"
#include "core/archive/import/SourceFile.h"
#include "core/sqlite/Sqlite.h"
#include "tests/archive/DuckDbWriter.h"
#include "tests/benchmarks/archive_figures.h"

#include <unistd.h>

namespace kernelarium::benchmarks {
namespace {

namespace fs = std::filesystem;
using namespace archive;
using sqlite::Database;

void forEachRow(const fs::path& file, const std::function<void(const SourceRow&)>& visit) {
    auto source = orDie(openSourceFile(file));
    SourceRow row;
    SourceProblem problem;
    while (orDie(source->next(row, problem, {})) != RowStatus::end)
        visit(row);
}

/// What SQLite needs to take the same rows as they are: one table, nothing compressed, nothing indexed.
double rawSqlite(const fs::path& file, const fs::path& raw) {
    fs::remove(raw);
    Database database(raw, Database::Access::exclusive);
    database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE kernel (id INTEGER PRIMARY "
                     "KEY, level, task, op, name, runtime, speedup, correct, a, b, c, d, e, f, g); BEGIN");
    auto insert = database.prepare("INSERT INTO kernel VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    return milliseconds([&] {
        std::int64_t id = 0;
        forEachRow(file, [&](const SourceRow& row) {
            insert.bind(1, ++id).bind(2, row.level).bind(3, row.task).bind(4, std::string_view(row.opName));
            insert.bind(5, std::string_view(row.name)).bind(6, row.runtime).bind(7, row.speedupNative);
            insert.bind(8, std::int64_t(row.correct.value_or(false)));
            for (int kind = 0; kind < int(textKindCount); ++kind)
                if (const auto& text = row.texts[std::size_t(kind)])
                    insert.bind(9 + kind, std::string_view(*text));
                else
                    insert.bindNull(9 + kind);
            insert.run();
        });
        database.execute("COMMIT");
    });
}

void importFigure(const char* name, const fs::path& file, const fs::path& target, const RowsWritten& written,
                  double parsing, double raw) {
    const double peak = peakOf([&] {
        auto sources = orDie(openSourceFiles({file}));
        const auto report = orDie(importRows(target, pointersTo(sources)));
        fmt::print("import {:<10} {} rows in {:.1f} s: {:.0f} rows/s, {:.0f} MB/s of text; {:.1f} x raw SQLite ({:.1f} "
                   "s), {:.1f} x reading alone ({:.1f} s)",
                   name, report.added, report.seconds, double(report.added) / report.seconds,
                   megabytes(written.textBytes) / report.seconds, report.seconds * 1000 / raw, raw / 1000,
                   report.seconds * 1000 / parsing, parsing / 1000);
    });
    fmt::print("; peak {:.0f} MB\n", peak);
}

void sizeFigures(const fs::path& path, const fs::path& raw, const RowsWritten& written) {
    Database database(path, Database::Access::readOnly);
    const auto tableBytes = [&](const std::string& name) {
        return megabytes(std::uint64_t(
            database.number(fmt::format("SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name = '{}'", name))));
    };
    const auto size = fs::file_size(path);
    fmt::print("file              {:.1f} MB: {:.1f}% of {:.1f} MB of text (at most 65%); raw SQLite takes {:.1f} MB\n",
               megabytes(size), 100.0 * double(size) / double(written.textBytes), megabytes(written.textBytes),
               megabytes(fs::file_size(raw)));
    fmt::print("  of it           texts {:.1f}, signatures {:.1f}, shapes {:.1f}, kernels {:.1f} MB; {} dictionaries\n",
               tableBytes("text"), tableBytes("code_signature"), tableBytes("code_shape"), tableBytes("kernel"),
               database.number("SELECT count(*) FROM dictionary"));
}

} // namespace

void importFigures(const fs::path& folder, const RowsWritten& written) {
    const fs::path lines = folder / "synthetic.jsonl";
    const fs::path parquet = folder / "synthetic.parquet";
    const fs::path path = folder / "archive.sqlite";
    const fs::path raw = folder / "raw.sqlite";
    fs::remove(path);
    const double parsing = milliseconds([&] { forEachRow(lines, [](const SourceRow&) {}); });
    const double rawTime = rawSqlite(lines, raw);
    importFigure("JSON lines", lines, path, written, parsing, rawTime);
    if (const std::string missing = duckDbMissing(); !missing.empty()) {
        fmt::print("import Parquet    not measured: {}\n", missing);
    } else {
        // One row group of everything: the worst case for memory.
        const double writing = peakOf([&] {
            const std::string problem = duckDbRun(fmt::format(
                "COPY (SELECT * FROM read_json('{}', format = 'newline_delimited', maximum_object_size = 40000000)) TO "
                "'{}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1000000)",
                lines.string(), parquet.string()));
            if (!problem.empty()) fmt::print("{}\n", problem), _exit(2);
        });
        fmt::print("Parquet           {:.1f} MB in one row group, zstd (writing it took DuckDB {:.0f} MB of memory)\n",
                   megabytes(fs::file_size(parquet)), writing);
        double reading = 0;
        const double peak = peakOf([&] {
            reading = milliseconds([&] { forEachRow(parquet, [](const SourceRow&) {}); });
            fmt::print("reading Parquet   {:.1f} s", reading / 1000);
        });
        fmt::print("; peak {:.0f} MB\n", peak);
        importFigure("Parquet", parquet, folder / "from_parquet.sqlite", written, parsing, rawTime);
        fs::remove(folder / "from_parquet.sqlite");
    }
    auto again = orDie(openSourceFiles({lines}));
    const auto repeated = orDie(importRows(path, pointersTo(again)));
    fmt::print("import again      {} added, {} unchanged: {:.1f} s\n", repeated.added, repeated.unchanged,
               repeated.seconds);
    sizeFigures(path, raw, written);
}

} // namespace kernelarium::benchmarks
