// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/ArchiveFile.h"

#include "core/archive/store/Schema.h"
#include "core/files/WorkFile.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace kernelarium::archive {
namespace {

namespace fs = std::filesystem;

/// SQLite's file format, section 1.3 of its documentation: big-endian fields of the first 100 bytes.
struct Header {
    std::array<unsigned char, 100> bytes{};

    [[nodiscard]] std::uint32_t field(std::size_t at) const {
        return std::uint32_t(bytes[at]) << 24 | std::uint32_t(bytes[at + 1]) << 16 | std::uint32_t(bytes[at + 2]) << 8 |
               bytes[at + 3];
    }
    [[nodiscard]] bool isSqlite() const { return std::memcmp(bytes.data(), "SQLite format 3", 16) == 0; }
    [[nodiscard]] std::uint64_t pageSize() const {
        const std::uint32_t stored = std::uint32_t(bytes[16]) << 8 | bytes[17];
        return stored == 1 ? 65536 : stored;
    }
    [[nodiscard]] std::uint64_t pageCount() const { return field(28); }
    [[nodiscard]] std::uint32_t userVersion() const { return field(60); }
    [[nodiscard]] std::uint32_t applicationId() const { return field(68); }
};

Error notAnArchive(const fs::path& path, std::string_view why) {
    return {"bad_archive", fmt::format("{} {}.", path.string(), why),
            "Choose an archive made by File > Import rows… or by `kernelarium-cli archive import`."};
}

bool hasContent(const fs::path& path) {
    std::error_code ignored;
    const auto size = fs::file_size(path, ignored);
    return !ignored && size > 0;
}

} // namespace

Result<int> checkArchiveFile(const fs::path& path) {
    std::error_code code;
    if (!fs::exists(path, code))
        return Error{
            "missing_file", fmt::format("There is no archive {}.", path.string()),
            "Open another (File > Open an archive…, or --db on the command line), or make one: File > Import rows…, or "
            "`kernelarium-cli archive import`."};
    if (fs::is_directory(path, code)) return notAnArchive(path, "is a folder, not an archive");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{"unreadable_file", fmt::format("{} cannot be read: {}.", path.string(), std::strerror(errno)),
                     "Check that you may read it."};
    Header header;
    file.read(reinterpret_cast<char*>(header.bytes.data()), header.bytes.size());
    const bool complete = file.gcount() == static_cast<std::streamsize>(header.bytes.size());
    if (file.gcount() < 16 || !header.isSqlite())
        return notAnArchive(path, "is not an archive: it is not an SQLite file");
    if (!complete) return notAnArchive(path, "is truncated: it ends inside its header");
    if (header.applicationId() != archiveFile.applicationId)
        return notAnArchive(path, "is an SQLite file of another program");
    const std::uint64_t expected = header.pageSize() * header.pageCount();
    if (const auto size = fs::file_size(path, code); size < expected)
        return Error{"bad_archive",
                     fmt::format("{} is truncated: {} bytes of {} are there.", path.string(), size, expected),
                     "Restore it from a copy, or import its rows again into a new file."};
    const auto version = header.userVersion();
    if (version > schemaVersion)
        return Error{"newer_archive",
                     fmt::format("{} has schema version {}; this program knows up to {}.", path.string(), version,
                                 schemaVersion),
                     "Open it with a newer Kernelarium."};
    if (version == 0) return notAnArchive(path, "is damaged: it has no schema version");
    return static_cast<int>(version);
}

Result<void> upgradeArchive(const fs::path& path) {
    if (auto free = checkNotInUse(path); !free) return free;
    auto work = files::WorkFile::begin(path);
    if (!work) return work.error();
    auto version = checkArchiveFile(work->path());
    if (!version) return version.error();
    if (*version == schemaVersion) return {}; // another program was faster
    auto migrated = guarded(path, [&] {
        sqlite::Database database(work->path(), sqlite::Database::Access::exclusive);
        inspectBeforeChange(database, path);
        database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"); // a copy: a kill leaves the file
        migrate(database, *version);
    });
    if (!migrated) return migrated;
    return work->commit();
}

Result<void> checkNotInUse(const fs::path& path) {
    for (const char* suffix : {"-journal", "-wal"}) {
        fs::path side = path;
        side += suffix;
        if (hasContent(side))
            return Error{
                "busy", fmt::format("Another program is changing {}, or was stopped while it did.", path.string()),
                fmt::format("Open it once with sqlite3, which finishes or undoes what {} holds.", side.string())};
    }
    return {};
}

Result<sqlite::Database> openForReading(const fs::path& path) {
    if (auto free = checkNotInUse(path); !free) return free.error();
    return guarded(path, [&] {
        auto database = sqlite::openForReading(path);
        checkArchiveSchema(database, path);
        return database;
    });
}

} // namespace kernelarium::archive
