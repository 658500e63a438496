// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/TextStore.h"

namespace kernelarium::archive {
namespace {
constexpr std::size_t fewestSamples = 64;
constexpr std::int64_t worthwhileGrowth = 4; ///< train again only with this many times the samples
} // namespace

TextStore::TextStore(sqlite::Database& database)
    : m_database(database) {
    auto known = database.prepare("SELECT id, kind, samples FROM dictionary ORDER BY id");
    while (known.step()) {
        const auto kind = static_cast<std::size_t>(known.integer(1));
        if (kind < textKindCount) m_newest[kind] = {known.integer(0), known.integer(2)};
    }
}

std::optional<std::int64_t> TextStore::find(const files::Digest& hash) {
    if (!m_find) m_find = m_database.prepare("SELECT id FROM text WHERE hash = ?");
    m_find->bindBlob(1, hash);
    std::optional<std::int64_t> id;
    if (m_find->step()) id = m_find->integer(0);
    m_find->reset();
    return id;
}

std::int64_t TextStore::put(std::string_view text, const files::Digest& hash, TextKind kind) {
    if (const auto known = find(hash)) return *known;
    if (!m_insert)
        m_insert = m_database.prepare("INSERT INTO text (hash, bytes, dictionary, data) VALUES (?, ?, ?, ?)");
    const auto id = m_newest[indexOf(kind)].id;
    const Dictionary* trained = id != 0 ? dictionary(id) : nullptr;
    const Bytes data = m_codec.compress(text, trained);
    m_insert->bindBlob(1, hash).bind(2, static_cast<std::int64_t>(text.size())).bindBlob(4, data);
    if (trained != nullptr)
        m_insert->bind(3, id);
    else
        m_insert->bindNull(3);
    m_insert->run();
    return m_database.lastInsertId();
}

void TextStore::learn(TextKind kind, std::span<const std::string_view> samples) {
    auto& newest = m_newest[indexOf(kind)];
    const auto count = static_cast<std::int64_t>(samples.size());
    if (samples.size() < fewestSamples || count < newest.samples * worthwhileGrowth) return;
    const auto content = Dictionary::train(samples);
    if (!content) return;
    auto insert = m_database.prepare("INSERT INTO dictionary (kind, samples, data) VALUES (?, ?, ?)");
    insert.bind(1, static_cast<std::int64_t>(indexOf(kind))).bind(2, count).bindBlob(3, *content).run();
    newest = {m_database.lastInsertId(), count};
}

const Dictionary* TextStore::dictionary(std::int64_t id) {
    if (const auto found = m_dictionaries.find(id); found != m_dictionaries.end()) return &found->second;
    auto load = m_database.prepare("SELECT data FROM dictionary WHERE id = ?");
    if (!load.bind(1, id).step()) throw std::runtime_error("a compression dictionary is missing");
    return &m_dictionaries.try_emplace(id, load.blob(0)).first->second;
}

sqlite::Statement& TextStore::stored(std::int64_t id) {
    if (!m_load) m_load = m_database.prepare("SELECT data, bytes, dictionary FROM text WHERE id = ?");
    m_load->reset();
    if (!m_load->bind(1, id).step()) throw std::runtime_error("a text is missing");
    return *m_load;
}

void TextStore::load(std::int64_t id, std::string& text) {
    auto& row = stored(id);
    const Dictionary* trained = row.isNull(2) ? nullptr : dictionary(row.integer(2));
    m_codec.decompress(row.blob(0), static_cast<std::size_t>(row.integer(1)), trained, text);
    row.reset();
}

TextStore::Packed TextStore::packed(std::int64_t id) {
    const auto kept = [](const KeptTexts::Text& text) { return Packed{text.data, text.size, text.dictionary, {}}; };
    if (const auto* text = m_kept.find(id)) return kept(*text);
    auto& row = stored(id);
    const KeptTexts::Text read{row.blob(0), static_cast<std::size_t>(row.integer(1)),
                               row.isNull(2) ? nullptr : dictionary(row.integer(2))};
    const auto* text = m_kept.keep(id, read);
    Packed packed = kept(text ? *text : read);
    if (!text) {
        packed.own = std::make_shared<const Bytes>(read.data.begin(), read.data.end());
        packed.data = *packed.own;
    }
    row.reset();
    return packed;
}

} // namespace kernelarium::archive
