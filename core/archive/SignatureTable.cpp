// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/ArchiveReader.h"
#include "core/archive/CodeSignature.h"

namespace kernelarium::archive {

SignatureTable::SignatureTable(sqlite::Database& database) {
    m_slots.assign(static_cast<std::size_t>(database.number("SELECT max(text) FROM code_signature")) + 1, -1);
    m_bits.reserve(static_cast<std::size_t>(database.number("SELECT count(*) FROM code_signature")) * signatureBytes);
    auto row = database.prepare("SELECT text, bits FROM code_signature");
    while (row.step()) {
        const auto bits = row.blob(1);
        const auto text = static_cast<std::size_t>(row.integer(0));
        if (bits.size() != signatureBytes || text >= m_slots.size())
            throw std::runtime_error("a signature is damaged");
        m_slots[text] = static_cast<std::int32_t>(m_bits.size() / signatureBytes);
        m_bits.insert(m_bits.end(), bits.begin(), bits.end());
    }
}

std::span<const std::uint8_t> SignatureTable::of(std::int64_t text) const {
    const auto at = static_cast<std::size_t>(text);
    if (text < 0 || at >= m_slots.size() || m_slots[at] < 0) return {};
    return {m_bits.data() + static_cast<std::size_t>(m_slots[at]) * signatureBytes, signatureBytes};
}

const SignatureTable& Archive::Reader::signatures() {
    if (!loadedSignatures) loadedSignatures.emplace(database);
    return *loadedSignatures;
}

} // namespace kernelarium::archive
