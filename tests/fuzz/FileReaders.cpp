// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/Import.h"
#include "core/archive/import/JsonLines.h"
#include "core/archive/store/Archive.h"
#include "core/archive/store/Statistics.h"
#include "core/audit/VerdictStore.h"
#include "core/session/SessionStore.h"
#include "core/similar/PieceIndex.h"
#include "core/verify/Verifier.h"
#include "tests/fuzz/Readers.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sqlite3.h>

namespace kernelarium::fuzz {

namespace {

namespace fs = std::filesystem;

/// Goes with the process that made it.
class WorkFolder {
public:
    WorkFolder() {
        std::string name = (fs::temp_directory_path() / "fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) m_path = name;
    }
    ~WorkFolder() {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove_all(m_path, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    [[nodiscard]] fs::path file(const char* name) const { return m_path / name; }
    /// Alone, without the side files of the one before.
    [[nodiscard]] fs::path put(const std::string& bytes) const {
        std::error_code ignored;
        for (const fs::directory_entry& left : fs::directory_iterator(m_path, ignored))
            if (left.path().filename().string().starts_with("fuzzed")) fs::remove(left.path(), ignored);
        std::ofstream(file("fuzzed"), std::ios::binary) << bytes;
        return file("fuzzed");
    }

private:
    fs::path m_path;
};

const WorkFolder& work() {
    static const WorkFolder folder;
    return folder;
}

std::string bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// As somebody else's tool would change it; endless statements end.
void change(const fs::path& file, const std::string& sql) {
    sqlite3* connection = nullptr;
    if (sqlite3_open(file.c_str(), &connection) == SQLITE_OK) {
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 20);
        sqlite3_progress_handler(
            connection, 100'000, [](void*) { return 1; }, nullptr);
        for (const char* rest = sql.c_str(); *rest != '\0';) {
            sqlite3_stmt* statement = nullptr;
            if (sqlite3_prepare_v2(connection, rest, -1, &statement, &rest) != SQLITE_OK) break;
            while (statement != nullptr && sqlite3_step(statement) == SQLITE_ROW) {
            }
            sqlite3_finalize(statement);
        }
    }
    sqlite3_close(connection);
}

std::string archiveSeed(int rows) {
    const fs::path path = work().file("seed.sqlite"), lines = work().file("seed.jsonl");
    std::ifstream starter(KERNELARIUM_STARTER_ROWS);
    std::ofstream some(lines);
    std::string line;
    for (int i = 0; i < rows && std::getline(starter, line); ++i)
        some << line << '\n';
    some << R"({"Op_Name":"small","Level_ID":1,"Task_ID":1,"Kernel_Name":"k","CUDA_Code":"int i;","Other":[1,{"a":2}]})"
         << '\n';
    some.close();
    auto source = archive::JsonLinesSource::open(lines);
    if (!source) return {};
    fs::remove(path);
    std::array<archive::RowSource*, 1> sources = {&*source};
    return archive::importRows(path, sources) ? bytesOf(path) : std::string();
}

std::string changed(const std::string& seed, const std::string& sql) {
    const fs::path path = work().put(seed);
    change(path, sql);
    return bytesOf(path);
}

/// With those of earlier versions.
std::vector<std::string> archiveSeeds() {
    const std::string seed = archiveSeed(3);
    return {seed, archiveSeed(0), changed(seed, "PRAGMA user_version = 3"),
            changed(seed, "DROP TABLE code_signature; DROP TABLE code_shape; PRAGMA user_version = 1")};
}

void readOpened(archive::Archive& opened) {
    (void)opened.count();
    archive::KernelQuery some;
    some.limit = 20;
    some.sort = archive::SortColumn::id;
    (void)opened.list(some);
    (void)opened.find("1/1/k");
    if (const auto table = opened.sharedTable()) {
        (void)archive::computeStatistics(**table);
        for (std::size_t row = 0; row < std::min<std::size_t>((**table).size(), 4); ++row) {
            for (const auto& info : archive::textKinds)
                (void)opened.text((**table).id[row], info.kind);
            (void)opened.extraJson((**table).id[row]);
        }
    }
    archive::SearchQuery search;
    search.text = "__shared__ float";
    search.kernels.limit = 5;
    (void)opened.search(search);
    search.regex = true;
    search.foldDuplicates = true;
    (void)opened.search(search);
}

void readArchive(const fs::path& path) {
    if (auto opened = archive::Archive::open(path)) readOpened(*opened);
}

void importInto(const fs::path& path) {
    auto source = archive::JsonLinesSource::open(work().file("seed.jsonl"));
    if (!source) return;
    std::array<archive::RowSource*, 1> sources = {&*source};
    (void)archive::importRows(path, sources);
}

std::string sessionSeed() {
    const fs::path path = work().put({});
    fs::remove(path);
    auto store = session::SessionStore::open(path);
    if (!store) return {};
    const auto made = store->createSession("first");
    if (!made) return {};
    session::Attempt attempt;
    attempt.session = made->id;
    attempt.kernelKey = "L1/T19/relu@abc";
    attempt.source = "__global__ void f() {}\n";
    attempt.optionsJson = R"({"arch":"sm_90"})";
    attempt.verdict = "verified";
    attempt.verdictJson = R"({"verdict":"verified"})";
    session::Timing time;
    time.milliseconds = 0.5;
    time.device = "H200";
    time.detailJson = R"({"samples":[1e-3]})";
    attempt.timings = {time};
    attempt.takenFrom = {{"L1/T19/fast@abd", "fast", 1}};
    (void)store->addAttempt(attempt);
    attempt.source += "// other\n";
    (void)store->addAttempt(attempt);
    (void)store->saveDraft({"L1/T19/relu@abc", "draft", 5, 2});
    (void)store->setValue("window", "{}");
    store = Error{}; // closed, its log is in the file
    return bytesOf(path);
}

void readSession(const std::string& bytes) {
    auto store = session::SessionStore::open(work().put(bytes));
    if (!store) return;
    (void)store->sessions();
    if (const auto attempts = store->attempts({}))
        for (std::size_t i = 0; i < std::min<std::size_t>(attempts->size(), 5); ++i)
            (void)store->attempt((*attempts)[i].id);
    (void)store->drafts();
    (void)store->value("window");
    (void)store->saveDraft({"new", "draft", 5, 2});
    (void)store->createSession("another");
    (void)store->removeSession(1);
    (void)store->purgeRemoved(1ll << 60);
}

std::string verdictsSeed() {
    const fs::path path = work().put({});
    fs::remove(path);
    auto store = audit::VerdictStore::open(path);
    if (!store) return {};
    audit::VerdictKey key;
    for (int i = 0; i < 5; ++i) {
        key.level = 1;
        key.task = i;
        key.name = "kernel";
        const auto verdict = verify::compileErrorVerdict("nvrtc", "kernel.cu:1:1: error");
        (void)store->put(audit::judged(key, verdict, {}, {"1", "card", 1}));
    }
    store = Error{};
    return bytesOf(path);
}

void readVerdicts(const std::string& bytes) {
    const fs::path path = work().put(bytes);
    if (auto there = audit::VerdictStore::openExisting(path); there && *there) {
        (void)(**there).all();
        (void)(**there).forEach([](const audit::JudgedKernel&) {});
    }
    if (auto store = audit::VerdictStore::open(path)) {
        audit::VerdictKey key;
        key.name = "new";
        (void)store->put(audit::failed(key, {"code", "message"}, {}, {}));
    }
}

fs::path indexedArchive() {
    return work().file("indexed.sqlite");
}

std::string piecesSeed(const std::string& archive) {
    std::ofstream(indexedArchive(), std::ios::binary) << archive;
    const similar::PieceIndex index{work().put({})};
    fs::remove(index.path);
    if (auto opened = archive::Archive::open(indexedArchive())) (void)index.update(*opened);
    return bytesOf(index.path);
}

void readPieces(const std::string& bytes) {
    const similar::PieceIndex index{work().put(bytes)};
    auto opened = archive::Archive::open(indexedArchive());
    if (!opened) return;
    if (const auto table = opened->sharedTable()) {
        (void)index.likeness(**table, similar::piecesOf("int i; float f[3];"));
        (void)index.update(*opened);
        (void)index.likeness(**table, similar::piecesOf("int i; float f[3];"));
    }
}

const std::vector<std::string>& schemaChanges() {
    static const std::vector<std::string> changes = {
        "ALTER TABLE kernel RENAME TO rows; CREATE VIEW kernel AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT "
        "x+1 FROM c) SELECT x id, 1 level, 'a' name FROM c",
        "CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM text; END; CREATE INDEX i ON kernel (lower(name))",
        "CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE more (a, b AS (a + 1) STORED, c DEFAULT (random()))",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'op_name TEXT', 'op_name TEXT AS "
        "(name)') WHERE name = 'kernel'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'text'",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'x', 'kernel', 5, 'CREATE TABLE "
        "\"x\" (a CHECK (a > 0))')",
        "UPDATE text SET data = zeroblob(100000), bytes = -1; UPDATE code_signature SET text = text * 1000000000",
        "UPDATE kernel SET code_text = -7, name = char(0, 27), op_name = zeroblob(50), level = 'x', correct = 1e300; "
        "UPDATE kernel_extra SET json = '[[[['; DELETE FROM code_shape; DELETE FROM dictionary"};
    return changes;
}

} // namespace

std::vector<Reader> fileReaders() {
    const auto archives = archiveSeeds();
    const auto fileOf = [](const std::string& bytes) { return work().put(bytes); };
    return {
        {"archive file", archives, [=](const std::string& bytes) { readArchive(fileOf(bytes)); }, true},
        {"archive import", archives, [=](const std::string& bytes) { importInto(fileOf(bytes)); }, true},
        {"archive schema", schemaChanges(),
         [=](const std::string& sql) {
             const fs::path path = fileOf(archives[0]);
             change(path, sql);
             readArchive(path);
         }},
        {"session file", {sessionSeed()}, readSession, true},
        {"verdict file", {verdictsSeed()}, readVerdicts, true},
        {"index of similar code", {piecesSeed(archives[0])}, readPieces, true},
        {"code in pieces",
         {"#define N 0x1F'0\n__global__ void k(float* p) { p[threadIdx.x] += 1e-5f; /* a */ } // b\n"
          "const char* s = R\"q(a)q\" \"b\\\"\" 'c'; k<<<g, b>>>(p);\n"},
         [](const std::string& code) { (void)similar::piecesOf(code); }},
    };
}

} // namespace kernelarium::fuzz
