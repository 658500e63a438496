// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchRun.h"

#include <unordered_map>

namespace kernelarium::archive {
namespace {

/// The page of a search's hits that was asked for, with what the table says of each.
class HitPage {
public:
    HitPage(ArchiveReader& reader, const SearchQuery& query, SearchResult& result)
        : m_reader(reader)
        , m_limit(query.kernels.limit)
        , m_skip(query.kernels.offset)
        , m_result(result) {}

    /// False when there are enough.
    bool take(std::vector<FoundRow>&& rows) {
        for (auto& row : rows) {
            if (row.sameAs) {
                const auto place = m_places.find(*row.sameAs);
                if (place != m_places.end()) ++m_result.hits[place->second].folded;
                continue;
            }
            if (m_skip-- > 0) continue;
            if (std::int64_t(m_result.hits.size()) == m_limit) {
                m_result.complete = false;
                return false;
            }
            m_places.emplace(row.row, m_result.hits.size());
            SearchHit& hit = m_result.hits.emplace_back();
            static_cast<SearchPlace&>(hit) = std::move(row);
            hit.kernel = m_reader.summary(m_reader.rows().table->id[row.row]);
        }
        return true;
    }

private:
    ArchiveReader& m_reader;
    std::int64_t m_limit;
    std::int64_t m_skip;
    SearchResult& m_result;
    std::unordered_map<std::uint32_t, std::size_t> m_places; ///< of the hits, by their row
};

/// In the order in which ConditionOnRows numbers them.
Result<void> collectPatterns(const Condition& condition, bool matchCase, SearchRun::LeafPatterns& patterns) {
    if (condition.kind == Condition::Kind::uses) patterns.push_back(Pattern::word(condition.text));
    if (condition.kind == Condition::Kind::text && condition.regex) {
        auto compiled = Pattern::regex(condition.text, matchCase);
        if (!compiled) return compiled.error();
        patterns.push_back(std::move(compiled).value());
    } else if (condition.kind == Condition::Kind::text) {
        patterns.push_back(Pattern::literal(condition.text, matchCase));
    }
    for (const Condition& part : condition.parts)
        if (auto collected = collectPatterns(part, matchCase, patterns); !collected) return collected;
    return {};
}

Result<SearchRun::LeafPatterns> leafPatterns(const SearchQuery& query) {
    SearchRun::LeafPatterns patterns;
    if (query.condition)
        if (auto collected = collectPatterns(*query.condition, query.matchCase, patterns); !collected)
            return collected.error();
    return patterns;
}

} // namespace

Result<std::int64_t> ArchiveReader::walk(const SearchQuery& query, const FoundRows& found,
                                         const std::stop_token& stop) {
    std::unique_ptr<const Pattern> pattern;
    if (query.eachWord) {
        // Each has a pattern of its own.
    } else if (!query.text.empty() && query.regex) {
        auto compiled = Pattern::regex(query.text, query.matchCase);
        if (!compiled) return compiled.error();
        pattern = std::move(compiled).value();
    } else if (!query.text.empty()) {
        pattern = Pattern::literal(query.text, query.matchCase);
    }
    auto leaves = leafPatterns(query);
    if (!leaves) return leaves.error();
    const sqlite::Reading reading(database);
    return SearchRun(*this, query, std::move(pattern), std::move(*leaves), stop).run(found);
}

Result<SearchResult> ArchiveReader::search(const SearchQuery& query, const std::stop_token& stop) {
    SearchResult result;
    HitPage page(*this, query, result);
    auto scanned = walk(
        query, [&](std::vector<FoundRow>&& rows) { return page.take(std::move(rows)); }, stop);
    if (!scanned) return scanned.error();
    result.textsScanned = *scanned;
    return result;
}

} // namespace kernelarium::archive
