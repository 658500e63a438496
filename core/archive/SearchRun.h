// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/ArchiveReader.h"
#include "core/archive/CodeShape.h"
#include "core/archive/Pattern.h"

#include <map>

namespace kernelarium::archive {

/// One search through an open archive. The rows come in the order asked for; those that the signatures let
/// through are looked at in batches that grow, by several threads, and taken in order until there are enough.
class SearchRun {
public:
    /// `pattern` null: there is no text to look for.
    SearchRun(Archive::Reader& reader, const SearchQuery& query, std::unique_ptr<const Pattern> pattern,
              const std::stop_token& stop);

    SearchResult run();

private:
    struct Candidate {
        std::int64_t kernel = 0;
        CodeShape shape{};
        bool inName = false;
        bool scans = false;
        TextStore::Packed code;
        SearchHit found; ///< the place of the match
        bool usesAll = true;
    };
    /// What a thread needs of its own.
    struct Bench {
        TextCodec codec;
        std::string code;
        Pattern::Scratch scratch;
    };

    bool consider(const sqlite::Statement& row, Candidate& candidate);
    void scanAll();
    void scan(Candidate& candidate, Bench& bench) const;
    void describe(SearchHit& hit, std::string_view code, std::string_view prepared,
                  Pattern::Match match) const;
    /// False when there are enough.
    bool takeAll(SearchResult& result);
    bool fold(const Candidate& candidate, SearchResult& result);

    Archive::Reader& m_reader;
    const SearchQuery& m_query;
    std::unique_ptr<const Pattern> m_pattern;
    std::vector<std::unique_ptr<const Pattern>> m_uses;
    const std::stop_token& m_stop;
    const SignatureTable* m_signatures = nullptr;
    Pattern::Scratch m_scratch;
    std::vector<Candidate> m_batch;
    std::vector<Bench> m_benches;
    std::map<CodeShape, std::size_t> m_shapes; ///< of the hits so far; beyond their number: it was skipped
    std::int64_t m_skip;
};

} // namespace kernelarium::archive
