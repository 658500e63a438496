// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/HgemmStore.h"

#include "core/sqlite/OwnFile.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace kernelarium::hgemm {
namespace {

constexpr sqlite::FileKind hgemmFile{.applicationId = 0x4b48474d, // "KHGM"
                                     .schemaVersion = 1,
                                     .name = "file of HGEMM results",
                                     .damaged = "damaged_hgemm",
                                     .foreign = "not_hgemm",
                                     .newer = "newer_hgemm",
                                     .failure = "hgemm_failure",
                                     .repair = "Move it away and import the tables again.",
                                     .permissions = "Check the permissions of the file and of its folder."};

void createHgemmSchema(sqlite::Database& database) {
    database.execute(R"sql(
        CREATE TABLE result (
            id INTEGER PRIMARY KEY,
            device TEXT NOT NULL,
            precision TEXT NOT NULL,
            mode TEXT NOT NULL,
            origin TEXT NOT NULL,
            UNIQUE (device, precision, mode));
        CREATE TABLE baseline (
            result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
            place INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (result, place)) WITHOUT ROWID;
        CREATE TABLE speedup (
            result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
            row INTEGER NOT NULL,              -- in the order of the table
            place INTEGER NOT NULL,            -- the baseline
            m INTEGER NOT NULL, n INTEGER NOT NULL, k INTEGER NOT NULL,
            value REAL,                        -- null: none
            PRIMARY KEY (result, row, place)) WITHOUT ROWID;
    )sql");
}

constexpr std::array<sqlite::Migration, hgemmFile.schemaVersion> hgemmMigrations = {createHgemmSchema};

void insertTable(sqlite::Database& database, const HgemmTable& table) {
    database.prepare("DELETE FROM result WHERE device = ? AND precision = ? AND mode = ?")
        .bind(1, std::string_view(table.device))
        .bind(2, std::string_view(table.precision))
        .bind(3, std::string_view(table.mode))
        .run();
    database.prepare("INSERT INTO result (device, precision, mode, origin) VALUES (?, ?, ?, ?)")
        .bind(1, std::string_view(table.device))
        .bind(2, std::string_view(table.precision))
        .bind(3, std::string_view(table.mode))
        .bind(4, std::string_view(table.origin))
        .run();
    const std::int64_t id = database.lastInsertId();
    auto baseline = database.prepare("INSERT INTO baseline (result, place, name) VALUES (?, ?, ?)");
    auto speedup =
        database.prepare("INSERT INTO speedup (result, row, place, m, n, k, value) VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t place = 0; place < table.baselines.size(); ++place) {
        baseline.bind(1, id).bind(2, std::int64_t(place)).bind(3, std::string_view(table.baselines[place])).run();
        for (std::size_t row = 0; row < table.shapes.size(); ++row) {
            const Shape& shape = table.shapes[row];
            speedup.bind(1, id).bind(2, std::int64_t(row)).bind(3, std::int64_t(place));
            speedup.bind(4, shape.m).bind(5, shape.n).bind(6, shape.k);
            const double value = table.speedups[place][row];
            std::isnan(value) ? speedup.bindNull(7) : speedup.bind(7, value);
            speedup.run();
        }
    }
}

HgemmTable loadTable(sqlite::Database& database, const sqlite::Statement& row) {
    HgemmTable table;
    table.device = row.text(1);
    table.precision = row.text(2);
    table.mode = row.text(3);
    table.origin = row.text(4);
    auto baselines = database.prepare("SELECT name FROM baseline WHERE result = ? ORDER BY place");
    baselines.bind(1, row.integer(0));
    while (baselines.step())
        table.baselines.emplace_back(baselines.text(0));
    table.speedups.resize(table.baselines.size());
    auto values =
        database.prepare("SELECT row, place, m, n, k, value FROM speedup WHERE result = ? ORDER BY row, place");
    values.bind(1, row.integer(0));
    while (values.step()) {
        const auto place = std::size_t(values.integer(1));
        if (place >= table.speedups.size()) throw std::runtime_error("a value has no baseline");
        if (place == 0) table.shapes.push_back({values.integer(2), values.integer(3), values.integer(4)});
        table.speedups[place].push_back(values.optionalReal(5).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    for (const auto& column : table.speedups)
        if (column.size() != table.shapes.size()) throw std::runtime_error("values are missing");
    return table;
}

} // namespace

struct HgemmStore::State {
    std::filesystem::path path;
    sqlite::Database database;
};

HgemmStore::HgemmStore(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
HgemmStore::HgemmStore(HgemmStore&&) noexcept = default;
HgemmStore& HgemmStore::operator=(HgemmStore&&) noexcept = default;
HgemmStore::~HgemmStore() = default;

Result<HgemmStore> HgemmStore::open(const std::filesystem::path& path) {
    return sqlite::guarded(hgemmFile, path, [&] {
        if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
        return HgemmStore(std::make_unique<State>(
            State{path, sqlite::openForWriting(hgemmFile, path, hgemmMigrations, sqlite::Durability::process)}));
    });
}

Result<void> HgemmStore::put(const std::vector<HgemmTable>& tables) {
    return sqlite::guarded(hgemmFile, m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        for (const auto& table : tables)
            insertTable(m_state->database, table);
        transaction.commit();
    });
}

Result<std::vector<HgemmTable>> HgemmStore::tables() {
    return sqlite::guarded(hgemmFile, m_state->path, [&] {
        std::vector<HgemmTable> tables;
        auto row = m_state->database.prepare(
            "SELECT id, device, precision, mode, origin FROM result ORDER BY device, precision, mode");
        while (row.step())
            tables.push_back(loadTable(m_state->database, row));
        return tables;
    });
}

} // namespace kernelarium::hgemm
