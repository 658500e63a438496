// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/PieceIndex.h"

#include "core/files/CacheFolder.h"
#include "core/similar/PieceFile.h"
#include "core/threads/FanOut.h"

#include <bit>
#include <bitset>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace kernelarium::similar {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "the file has the lowest byte first");

constexpr std::size_t codesAtOnce = 512;

struct DigestHash {
    std::size_t operator()(const files::Digest& digest) const {
        std::size_t hash = 0;
        std::memcpy(&hash, digest.data(), sizeof hash);
        return hash;
    }
};
using Digests = std::unordered_set<files::Digest, DigestHash>;

files::Digest digestAt(const sqlite::Statement& row, int column) {
    files::Digest digest{};
    const auto bytes = row.blob(column);
    if (bytes.size() == digest.size()) std::copy(bytes.begin(), bytes.end(), digest.begin());
    return digest;
}

std::span<const std::uint8_t> bytesOf(const Pieces& pieces) {
    return {reinterpret_cast<const std::uint8_t*>(pieces.data()), pieces.size() * sizeof(std::uint32_t)};
}

/// What the index has; makes room where it cannot be read any more.
Digests known(const fs::path& path) {
    Digests hashes;
    std::error_code problem;
    if (!fs::exists(path, problem)) return hashes;
    try {
        sqlite::Database database = openPiecesForReading(path);
        auto rows = database.prepare("SELECT hash FROM code");
        while (rows.step())
            hashes.insert(digestAt(rows, 0));
        return hashes;
    } catch (const sqlite::Refusal& refusal) {
        if (refusal.error.code != piecesFile.damaged) throw;
    } catch (const sqlite::SqliteError& error) {
        constexpr int corrupt = 11, notADatabase = 26; // SQLITE_CORRUPT, SQLITE_NOTADB
        if (error.code() != corrupt && error.code() != notADatabase) throw;
    }
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(path.string() + suffix, problem);
    return {};
}

struct Wanted {
    std::int64_t kernel;
    files::Digest hash;
};

std::vector<Wanted> missingIn(const archive::KernelTable& table, const Digests& known, Digests& all) {
    std::vector<Wanted> missing;
    for (std::size_t row = 0; row < table.size(); ++row)
        if (all.insert(table.codeHash[row]).second && !known.contains(table.codeHash[row]))
            missing.push_back({table.id[row], table.codeHash[row]});
    return missing;
}

void add(sqlite::Database& database, std::span<const Wanted> batch, const std::vector<Pieces>& pieces) {
    sqlite::Transaction transaction(database);
    auto insert = database.prepare("INSERT OR IGNORE INTO code (hash, pieces) VALUES (?, ?)");
    for (std::size_t i = 0; i < batch.size(); ++i)
        insert.bindBlob(1, batch[i].hash).bindBlob(2, bytesOf(pieces[i])).run();
    transaction.commit();
}

std::size_t drop(sqlite::Database& database, const Digests& known, const Digests& all) {
    std::size_t dropped = 0;
    sqlite::Transaction transaction(database);
    auto remove = database.prepare("DELETE FROM code WHERE hash = ?");
    for (const files::Digest& hash : known)
        if (!all.contains(hash)) {
            remove.bindBlob(1, hash).run();
            ++dropped;
        }
    transaction.commit();
    return dropped;
}

/// Counts how many of one code's pieces others have.
class Counter {
public:
    explicit Counter(const Pieces& pieces)
        : m_pieces(pieces)
        , m_some(std::make_unique<std::bitset<65536>>()) {
        for (const std::uint32_t piece : pieces)
            m_some->set(piece & 0xffff);
    }

    /// `bytes` as they are stored; sharedPieces of them.
    [[nodiscard]] double shareWith(std::span<const std::uint8_t> bytes) const {
        const std::size_t count = bytes.size() / sizeof(std::uint32_t);
        std::size_t common = 0;
        auto from = m_pieces.begin();
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t piece = 0;
            std::memcpy(&piece, bytes.data() + i * sizeof piece, sizeof piece);
            if (!m_some->test(piece & 0xffff)) continue; // nearly all of them
            from = std::lower_bound(from, m_pieces.end(), piece);
            if (from == m_pieces.end()) break;
            if (*from != piece) continue;
            ++common;
            ++from; // once, whatever the file says
        }
        const std::size_t all = count + m_pieces.size() - common;
        return all == 0 ? 0 : double(common) / double(all);
    }

private:
    const Pieces& m_pieces;
    std::unique_ptr<std::bitset<65536>> m_some; ///< of the lower halves
};

} // namespace

PieceIndex PieceIndex::of(const fs::path& archive) {
    std::error_code problem;
    fs::path beside = archive;
    beside += ".pieces";
    const fs::path folder = fs::absolute(archive, problem).parent_path();
    if (fs::exists(beside, problem) || ::access(folder.c_str(), W_OK) == 0) return {beside};
    const fs::path cache = files::cacheFolder();
    if (cache.empty()) return {beside};
    // Archives of the same name in several folders have files of their own.
    const std::string place = files::toHex(files::sha256(folder.string()), 8);
    return {cache / "pieces" / (archive.filename().string() + "-" + place + ".pieces")};
}

Result<PieceIndex::Update> PieceIndex::update(archive::Archive& archive, const Progress& progress,
                                              const std::stop_token& stop) const {
    auto table = archive.sharedTable();
    if (!table) return table.error();
    return guardedPieces(path, [&]() -> Update {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        const Digests before = known(path);
        Digests all;
        const std::vector<Wanted> missing = missingIn(**table, before, all);
        Update update;
        const bool hasOthers = before.size() + missing.size() > all.size();
        if (missing.empty() && !hasOthers && !before.empty()) return update;
        sqlite::Database database = openPiecesForWriting(path);
        for (std::size_t from = 0; from < missing.size(); from += codesAtOnce) {
            if (stop.stop_requested()) throw sqlite::Refusal{{"cancelled", "Looking for similar code was cancelled."}};
            const auto batch = std::span(missing).subspan(from, std::min(codesAtOnce, missing.size() - from));
            std::vector<std::string> codes(batch.size());
            for (std::size_t i = 0; i < batch.size(); ++i) {
                auto text = archive.text(batch[i].kernel, archive::TextKind::cudaCode);
                if (!text) throw sqlite::Refusal{text.error()};
                codes[i] = std::move(*text).value_or("");
            }
            std::vector<Pieces> pieces(batch.size());
            threads::forEach(batch.size(), threads::cores(),
                             [&](std::size_t item, std::size_t) { pieces[item] = piecesOf(codes[item]); });
            add(database, batch, pieces);
            update.added += batch.size();
            if (progress) progress(update.added, missing.size());
        }
        if (hasOthers) update.dropped = drop(database, before, all);
        return update;
    });
}

Result<std::vector<float>> PieceIndex::likeness(const archive::KernelTable& table, const Pieces& pieces,
                                                const std::stop_token& stop) const {
    return guardedPieces(path, [&] {
        constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
        sqlite::Database database = openPiecesForReading(path);
        database.endWith(stop);
        std::unordered_map<files::Digest, float, DigestHash> shares;
        shares.reserve(table.size());
        const Counter counter(pieces);
        auto rows = database.prepare("SELECT hash, pieces FROM code");
        while (rows.step())
            shares.emplace(digestAt(rows, 0), float(counter.shareWith(rows.blob(1))));
        std::vector<float> likeness(table.size(), unknown);
        for (std::size_t row = 0; row < table.size(); ++row)
            if (const auto found = shares.find(table.codeHash[row]); found != shares.end())
                likeness[row] = found->second;
        return likeness;
    });
}

} // namespace kernelarium::similar
