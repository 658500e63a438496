// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KeptTexts.h"
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
        std::span<const std::uint8_t> data;
        std::size_t size = 0; ///< of the text
        const Dictionary* dictionary = nullptr;
        std::shared_ptr<const Bytes> own; ///< holds the data that the store does not keep
    };
    /// The store keeps what it hands out, up to `mostKept` bytes: the searches that follow read it from memory.
    Packed packed(std::int64_t id);
    static constexpr std::size_t mostKept = 64u << 20; ///< the code of 30,615 kernels takes 36 MB

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
    KeptTexts m_kept{mostKept};
    std::optional<sqlite::Statement> m_find;
    std::optional<sqlite::Statement> m_insert;
    std::optional<sqlite::Statement> m_load;
};

} // namespace kernelarium::archive
