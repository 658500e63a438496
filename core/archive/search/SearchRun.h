// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/ConditionOnRows.h"
#include "core/archive/search/Pattern.h"
#include "core/archive/store/ArchiveReader.h"
#include "core/archive/store/CodeShape.h"

#include <map>

namespace kernelarium::archive {

/// One search through an open archive. Filter and order are found in memory; the rows that the signatures let through
/// are looked at in batches that grow, by several threads, and handed on in order until the taker has enough.
class SearchRun {
public:
    /// Of the texts of a query's condition, in the order of ConditionOnRows::leaves().
    using LeafPatterns = std::vector<std::unique_ptr<const Pattern>>;
    /// `pattern` null: there is no text to look for.
    SearchRun(ArchiveReader& reader, const SearchQuery& query, std::unique_ptr<const Pattern> pattern,
              LeafPatterns leafPatterns, const std::stop_token& stop);

    /// How many texts had to be decompressed.
    std::int64_t run(const FoundRows& found);

private:
    struct Candidate {
        std::uint32_t row = 0;
        bool inName = false;
        bool scans = false;
        std::vector<std::size_t> wordsInCode; ///< of the words, those that are not in a name
        std::vector<Truth> leaves;            ///< of the condition's texts, as far as the code is not needed
        TextStore::Packed code;
        SearchPlace found; ///< the place of the match
        bool usesAll = true;
    };
    /// What a thread needs of its own.
    struct Buffers {
        TextCodec codec;
        std::string code;
        Pattern::Scratch scratch;
    };

    /// Whether a row can be a hit at all, by what is in memory.
    bool consider(std::uint32_t row, Candidate& candidate);
    /// Which rows have a name that matches; all at once, where the pattern lets it.
    void findNames();
    [[nodiscard]] std::optional<std::vector<bool>> rowsNamed(const Pattern& pattern, const std::string& text) const;
    [[nodiscard]] bool matchesName(std::uint32_t row);
    [[nodiscard]] bool isInName(const Pattern& pattern, std::uint32_t row);
    /// Of a search for each word: whether the row's name has a word, or its code may have it.
    bool considerWords(std::uint32_t row, Candidate& candidate);
    [[nodiscard]] bool mayBeIn(const std::optional<TextSet>& set, std::uint32_t row) const;
    /// Of the condition: likewise, and which of its texts are in the row.
    bool considerCondition(std::uint32_t row, Candidate& candidate);
    [[nodiscard]] Truth leafTruth(std::size_t leaf, std::uint32_t row);
    void scanLeaves(Candidate& candidate, Buffers& buffers) const;
    void scanAll();
    void scan(Candidate& candidate, Buffers& buffers) const;
    void describe(const Pattern& pattern, SearchPlace& place, std::string_view code, std::string_view prepared,
                  Pattern::Match match) const;
    [[nodiscard]] std::vector<FoundRow> hitsOfBatch();

    ArchiveReader& m_reader;
    const ArchiveReader::Rows& m_rows;
    const SearchQuery& m_query;
    std::unique_ptr<const Pattern> m_pattern;
    std::vector<std::unique_ptr<const Pattern>> m_uses;
    std::vector<std::unique_ptr<const Pattern>> m_words; ///< of a search for each word
    std::vector<TextSet> m_possibleWords;                ///< texts that each of them may be in
    /// A text of the condition.
    struct Leaf {
        std::unique_ptr<const Pattern> pattern;
        bool inNames = false;
        bool inCode = false;
        bool wanted = false; ///< makes a hit, and not below NOT
        std::optional<TextSet> possible;
        std::optional<std::vector<bool>> namesMatch; ///< by row
    };
    std::optional<ConditionOnRows> m_condition;
    std::vector<Leaf> m_leaves;
    const std::stop_token& m_stop;
    const SignatureTable* m_signatures = nullptr;
    std::optional<TextSet> m_possible;             ///< texts that the pattern may be in
    std::optional<TextSet> m_possibleUses;         ///< texts that all of the words may be in
    std::optional<std::vector<bool>> m_namesMatch; ///< by row
    std::size_t m_hits = 0;                        ///< found so far
    Pattern::Scratch m_scratch;
    std::vector<Candidate> m_batch;
    std::vector<Buffers> m_buffers;              ///< by thread
    std::map<CodeShape, std::uint32_t> m_shapes; ///< the first hit's row of each
};

} // namespace kernelarium::archive
