// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/ArchiveReader.h"

#include "core/archive/CodeSignature.h"
#include "core/archive/QuerySql.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::archive {
namespace {

constexpr std::size_t longestLineText = 160;

/// A literal text to look for; folds the case of what it looks through unless case matters.
class Needle {
public:
    Needle(std::string text, bool matchCase)
        : m_text(std::move(text))
        , m_matchCase(matchCase) {
        if (!m_matchCase) std::transform(m_text.begin(), m_text.end(), m_text.begin(), foldedCase);
    }

    [[nodiscard]] std::size_t size() const { return m_text.size(); }

    /// The text in the form that `find` looks through; valid until the next call.
    std::string_view prepared(std::string_view text) {
        if (m_matchCase) return text;
        m_folded.resize(text.size());
        std::transform(text.begin(), text.end(), m_folded.begin(), foldedCase);
        return m_folded;
    }

    [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const {
        if (from > text.size()) return std::string_view::npos;
        const void* found = memmem(text.data() + from, text.size() - from, m_text.data(), m_text.size());
        if (found == nullptr) return std::string_view::npos;
        return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    }

private:
    std::string m_text;
    std::string m_folded;
    bool m_matchCase;
};

/// At most `longest` bytes, cut between characters.
std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80)
        --longest;
    return std::string(text.substr(0, longest)) + "...";
}

void describeMatch(SearchHit& hit, std::string_view code, std::size_t at) {
    const auto before = code.substr(0, at);
    const auto lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    hit.line = 1 + std::count(before.begin(), before.end(), '\n');
    hit.column = static_cast<std::int64_t>(at - lineStart) + 1;
    auto line = code.substr(lineStart, std::min(code.find('\n', at), code.size()) - lineStart);
    const auto first = line.find_first_not_of(" \t\r");
    line.remove_prefix(std::min(first, line.size()));
    hit.lineText = shortened(line, longestLineText);
}

} // namespace

SignatureTable::SignatureTable(sqlite::Database& database) {
    m_slots.assign(static_cast<std::size_t>(database.number("SELECT max(text) FROM code_signature")) + 1, -1);
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

bool SignatureTable::mayContain(std::int64_t text, std::span<const std::uint16_t> bits) const {
    const auto at = static_cast<std::size_t>(text);
    if (text < 0 || at >= m_slots.size() || m_slots[at] < 0)
        return true; // unknown: let the text itself decide
    const auto* signature = m_bits.data() + static_cast<std::size_t>(m_slots[at]) * signatureBytes;
    return archive::mayContain({signature, signatureBytes}, bits);
}

const SignatureTable& Archive::Reader::signatures() {
    if (!loadedSignatures) loadedSignatures.emplace(database);
    return *loadedSignatures;
}

SearchResult Archive::Reader::search(const SearchQuery& query, const std::stop_token& stop) {
    Needle needle(query.text, query.matchCase);
    const auto bits = signatureBits(query.text);
    const SignatureTable* filter = query.inCode && !bits.empty() ? &signatures() : nullptr;
    KernelQuery all = query.kernels;
    all.limit = -1;
    all.offset = 0;
    auto row = sortedAndPaged(database, "id, code_text, name, op_name", all);

    SearchResult result;
    std::int64_t skip = query.kernels.offset;
    std::string code;
    while (row.step()) {
        if (stop.stop_requested()) break;
        const auto inText = [&](std::string_view text) {
            return needle.find(needle.prepared(text)) != std::string_view::npos;
        };
        SearchHit hit;
        hit.inName = query.inNames && (inText(row.text(2)) || inText(row.text(3)));
        std::size_t at = std::string_view::npos;
        std::string_view prepared;
        if (query.inCode && (filter == nullptr || filter->mayContain(row.integer(1), bits))) {
            texts.load(row.integer(1), code);
            ++result.textsScanned;
            prepared = needle.prepared(code);
            at = needle.find(prepared);
        }
        hit.inCode = at != std::string_view::npos;
        if (!hit.inName && !hit.inCode) continue;
        if (skip-- > 0) continue;
        if (std::int64_t(result.hits.size()) == query.kernels.limit) {
            result.complete = false;
            break;
        }
        if (hit.inCode) describeMatch(hit, code, at);
        for (; at != std::string_view::npos; at = needle.find(prepared, at + needle.size()))
            ++hit.matches;
        hit.kernel = summary(row.integer(0));
        result.hits.push_back(std::move(hit));
    }
    return result;
}

} // namespace kernelarium::archive
