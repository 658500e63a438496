// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/TextCodec.h"
#include "core/archive/store/TextKind.h"
#include "core/files/Sha256.h"
#include "core/sqlite/Sqlite.h"

#include <map>

namespace kernelarium::archive {

/// The tables `text` and `dictionary`: every text once, found by its hash, compressed. Throws; lives no
/// longer than the database it was given.
class TextStore {
public:
    explicit TextStore(sqlite::Database& database);

    [[nodiscard]] std::optional<std::int64_t> find(const files::Digest& hash);
    /// The text's number; stores it when it is not there yet.
    std::int64_t put(std::string_view text, const files::Digest& hash, TextKind kind);
    /// Trains a dictionary for texts to come when these samples promise a better one than the newest of the
    /// kind.
    void learn(TextKind kind, std::span<const std::string_view> samples);

    void load(std::int64_t id, std::string& text);

    /// A text as it is stored, for whoever decompresses it elsewhere; the dictionary lives as long as this store.
    struct Packed {
        Bytes data;
        std::size_t size = 0; ///< of the text
        const Dictionary* dictionary = nullptr;
    };
    Packed packed(std::int64_t id);

private:
    struct Newest {
        std::int64_t id = 0;
        std::int64_t samples = 0;
    };
    const Dictionary* dictionary(std::int64_t id);
    sqlite::Statement& stored(std::int64_t id);

    sqlite::Database& m_database;
    TextCodec m_codec;
    std::map<std::int64_t, Dictionary> m_dictionaries;
    std::array<Newest, textKindCount> m_newest{};
    std::optional<sqlite::Statement> m_find;
    std::optional<sqlite::Statement> m_insert;
    std::optional<sqlite::Statement> m_load;
};

} // namespace kernelarium::archive
