// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchRun.h"

#include "core/archive/search/TableSelection.h"
#include "core/threads/FanOut.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace kernelarium::archive {
namespace {

constexpr std::size_t longestLineText = 160;
constexpr std::size_t firstBatch = 256; ///< most searches end in it, and one thread does it before a second wakes up
constexpr std::size_t largestBatch = 2048;
constexpr std::size_t fewestPerThread = 256;
constexpr unsigned mostThreads = 8;

/// At most `longest` bytes, cut between characters.
std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80)
        --longest;
    return std::string(text.substr(0, longest)) + "...";
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

} // namespace

SearchRun::SearchRun(ArchiveReader& reader, const SearchQuery& query, std::unique_ptr<const Pattern> pattern,
                     LeafPatterns leafPatterns, const std::stop_token& stop)
    : m_reader(reader)
    , m_rows(reader.rows())
    , m_query(query)
    , m_pattern(std::move(pattern))
    , m_stop(stop) {
    for (const auto& word : query.uses)
        m_uses.push_back(Pattern::word(word));
    for (const auto& word : query.eachWord ? wordsOf(query.text) : std::vector<std::string>{})
        m_words.push_back(Pattern::literal(word, query.matchCase));
    const bool looksIntoCode = query.inCode && (m_pattern || !m_words.empty());
    if (looksIntoCode || !m_uses.empty() || !leafPatterns.empty()) m_signatures = &reader.signatures();
    if (query.inCode)
        for (const auto& word : m_words)
            m_possibleWords.push_back(word->possible(*m_signatures));
    if (m_pattern && query.inCode) m_possible = m_pattern->possible(*m_signatures);
    for (const auto& word : m_uses) {
        const TextSet possible = word->possible(*m_signatures);
        m_possibleUses = m_possibleUses ? m_possibleUses->common(possible) : possible;
    }
    if (query.condition) {
        m_condition.emplace(*query.condition, *m_rows.table, query.verdicts.get());
        for (std::size_t i = 0; i < leafPatterns.size(); ++i) {
            const auto& leaf = m_condition->leaves()[i];
            const bool isWord = leaf.condition->kind == Condition::Kind::uses;
            Leaf& made = m_leaves.emplace_back();
            made.pattern = std::move(leafPatterns[i]);
            made.inNames = !isWord && query.inNames;
            made.inCode = isWord || query.inCode;
            made.wanted = leaf.wanted && !isWord;
            if (made.inCode) made.possible = made.pattern->possible(*m_signatures);
            if (made.inNames) made.namesMatch = rowsNamed(*made.pattern, leaf.condition->text);
        }
    }
    findNames();
    m_buffers.resize(std::min(threads::cores(), mostThreads));
}

std::int64_t SearchRun::run(const FoundRows& found) {
    const KernelQuery& kernels = m_query.kernels;
    // The condition is looked at row by row, with what its texts say.
    const auto rows =
        selectRows(*m_rows.table, {kernels.filter, kernels.sort, kernels.descending, nullptr, m_query.verdicts});
    std::int64_t scanned = 0;
    std::size_t batch = firstBatch;
    for (std::size_t next = 0; next < rows.size() && !m_stop.stop_requested();) {
        std::size_t scans = 0;
        for (; next < rows.size() && scans < batch && m_batch.size() < 4 * largestBatch && !m_stop.stop_requested();
             ++next) {
            Candidate candidate;
            if (!consider(rows[next], candidate)) continue;
            scans += candidate.scans ? 1 : 0;
            m_batch.push_back(std::move(candidate));
        }
        scanned += std::int64_t(scans);
        scanAll();
        if (m_stop.stop_requested()) break;
        auto hits = hitsOfBatch();
        m_hits += hits.size();
        if (!hits.empty() && !found(std::move(hits))) break;
        m_batch.clear();
        batch = std::min(batch * 4, largestBatch);
    }
    return scanned;
}

void SearchRun::findNames() {
    if (m_pattern && m_query.inNames) m_namesMatch = rowsNamed(*m_pattern, m_query.text);
}

std::optional<std::vector<bool>> SearchRun::rowsNamed(const Pattern& pattern, const std::string& text) const {
    if (!pattern.ignoresCase() || text.find('\n') != std::string::npos) return std::nullopt;
    std::vector<bool> match(m_rows.table->size(), false);
    const std::string_view names = m_rows.foldedNames;
    std::size_t row = 0;
    for (auto found = pattern.find(names, 0); found; found = pattern.find(names, m_rows.namesAt[row + 1])) {
        while (m_rows.namesAt[row + 1] <= found->at)
            ++row;
        match[row] = true;
    }
    return match;
}

bool SearchRun::matchesName(std::uint32_t row) {
    if (!m_pattern || !m_query.inNames) return false;
    if (m_namesMatch) return (*m_namesMatch)[row];
    return isInName(*m_pattern, row);
}

bool SearchRun::isInName(const Pattern& pattern, std::uint32_t row) {
    for (const std::string* name : {&m_rows.table->name[row], &m_rows.table->opName[row]})
        if (pattern.find(pattern.prepared(*name, m_scratch), 0)) return true;
    return false;
}

bool SearchRun::mayBeIn(const std::optional<TextSet>& set, std::uint32_t row) const {
    if (!set || m_signatures == nullptr) return true;
    const auto slot = m_signatures->slotOf(m_rows.codeTexts[row]);
    return slot == SignatureTable::noSlot || set->contains(slot);
}

bool SearchRun::considerWords(std::uint32_t row, Candidate& candidate) {
    for (std::size_t i = 0; i < m_words.size(); ++i) {
        if (m_query.inNames && isInName(*m_words[i], row)) {
            candidate.inName = true;
            continue;
        }
        if (!m_query.inCode || !mayBeIn(m_possibleWords[i], row)) return false;
        candidate.wordsInCode.push_back(i);
    }
    return true;
}

Truth SearchRun::leafTruth(std::size_t number, std::uint32_t row) {
    const Leaf& leaf = m_leaves[number];
    if (leaf.inNames && (leaf.namesMatch ? (*leaf.namesMatch)[row] : isInName(*leaf.pattern, row))) return Truth::yes;
    return leaf.inCode && mayBeIn(leaf.possible, row) ? Truth::maybe : Truth::no;
}

bool SearchRun::considerCondition(std::uint32_t row, Candidate& candidate) {
    if (!m_condition) return true;
    candidate.leaves.clear();
    for (std::size_t i = 0; i < m_leaves.size(); ++i)
        candidate.leaves.push_back(leafTruth(i, row));
    const Truth all = m_condition->truth(row, [&](std::size_t leaf) { return candidate.leaves[leaf]; });
    if (all == Truth::no) return false;
    if (all == Truth::maybe) candidate.scans = true;
    for (std::size_t i = 0; i < m_leaves.size(); ++i) {
        if (!m_leaves[i].wanted) continue;
        if (candidate.leaves[i] == Truth::yes) candidate.inName = true;
        // Where it stands in the code is shown, also of a row that is a hit without it.
        if (m_leaves[i].inCode && mayBeIn(m_leaves[i].possible, row)) candidate.scans = true;
    }
    return true;
}

bool SearchRun::consider(std::uint32_t row, Candidate& candidate) {
    const std::int64_t text = m_rows.codeTexts[row];
    if (!mayBeIn(m_possibleUses, row)) return false;
    candidate.row = row;
    candidate.inName = matchesName(row);
    if (!considerWords(row, candidate)) return false;
    const bool mayBeInCode = m_pattern && m_query.inCode && mayBeIn(m_possible, row);
    if (m_pattern && !candidate.inName && !mayBeInCode) return false;
    if (!considerCondition(row, candidate)) return false;
    candidate.scans = candidate.scans || mayBeInCode || !m_uses.empty() || !candidate.wordsInCode.empty();
    if (candidate.scans) candidate.code = m_reader.texts.packed(text);
    return true;
}

void SearchRun::scanAll() {
    const std::size_t all = m_buffers.size();
    const std::size_t most = m_hits < m_query.urgentHits ? all : std::max<std::size_t>(1, all - 1);
    threads::forEach(m_batch.size(), std::clamp<std::size_t>(m_batch.size() / fewestPerThread, 1, most),
                     [&](std::size_t i, std::size_t thread) {
                         if (m_batch[i].scans && !m_stop.stop_requested()) scan(m_batch[i], m_buffers[thread]);
                     });
}

void SearchRun::scan(Candidate& candidate, Buffers& buffers) const {
    buffers.codec.decompress(candidate.code.data, candidate.code.size, candidate.code.dictionary, buffers.code);
    for (const auto& word : m_uses)
        if (!word->find(word->prepared(buffers.code, buffers.scratch), 0)) {
            candidate.usesAll = false;
            return;
        }
    bool described = false; // by the first of the words
    for (const std::size_t i : candidate.wordsInCode) {
        const std::string_view prepared = m_words[i]->prepared(buffers.code, buffers.scratch);
        const auto match = m_words[i]->find(prepared, 0);
        candidate.usesAll = match.has_value();
        if (!match) return;
        candidate.found.inCode = true;
        if (!std::exchange(described, true)) describe(*m_words[i], candidate.found, buffers.code, prepared, *match);
    }
    scanLeaves(candidate, buffers);
    if (!candidate.usesAll || !m_pattern || !m_query.inCode) return;
    const std::string_view prepared = m_pattern->prepared(buffers.code, buffers.scratch);
    const auto match = m_pattern->find(prepared, 0);
    candidate.found.inCode = match.has_value();
    if (match) describe(*m_pattern, candidate.found, buffers.code, prepared, *match);
}

void SearchRun::scanLeaves(Candidate& candidate, Buffers& buffers) const {
    if (m_leaves.empty()) return;
    std::vector<Truth> inCode(m_leaves.size(), Truth::maybe);
    const auto isInCode = [&](std::size_t number) {
        const Leaf& leaf = m_leaves[number];
        if (inCode[number] != Truth::maybe) return inCode[number];
        if (!leaf.inCode) return inCode[number] = Truth::no;
        const std::string_view prepared = leaf.pattern->prepared(buffers.code, buffers.scratch);
        const auto match = leaf.pattern->find(prepared, 0);
        if (match && leaf.wanted && !std::exchange(candidate.found.inCode, true)) // by the first of them
            describe(*leaf.pattern, candidate.found, buffers.code, prepared, *match);
        return inCode[number] = match ? Truth::yes : Truth::no;
    };
    const Truth all = m_condition->truth(candidate.row, [&](std::size_t leaf) {
        return candidate.leaves[leaf] == Truth::maybe ? isInCode(leaf) : candidate.leaves[leaf];
    });
    candidate.usesAll = all == Truth::yes;
    for (std::size_t i = 0; candidate.usesAll && !candidate.found.inCode && i < m_leaves.size(); ++i)
        if (m_leaves[i].wanted) isInCode(i);
}

void SearchRun::describe(const Pattern& pattern, SearchPlace& hit, std::string_view code, std::string_view prepared,
                         Pattern::Match match) const {
    const auto before = code.substr(0, match.at);
    const auto lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    hit.line = 1 + std::count(before.begin(), before.end(), '\n');
    hit.column = static_cast<std::int64_t>(match.at - lineStart) + 1;
    auto line = code.substr(lineStart, std::min(code.find('\n', match.at), code.size()) - lineStart);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    hit.lineText = shortened(line, longestLineText);
    for (std::optional<Pattern::Match> next = match; next;
         next = pattern.find(prepared, next->at + std::max<std::size_t>(next->length, 1)))
        ++hit.matches;
}

std::vector<FoundRow> SearchRun::hitsOfBatch() {
    std::vector<FoundRow> hits;
    for (auto& candidate : m_batch) {
        if (!candidate.usesAll || (m_pattern && !candidate.inName && !candidate.found.inCode)) continue;
        FoundRow hit;
        static_cast<SearchPlace&>(hit) = std::move(candidate.found);
        hit.inName = candidate.inName;
        hit.row = candidate.row;
        if (m_query.foldDuplicates) {
            const auto [first, isNew] = m_shapes.emplace(m_rows.table->shape[candidate.row], candidate.row);
            if (!isNew) hit.sameAs = first->second;
        }
        hits.push_back(std::move(hit));
    }
    return hits;
}

} // namespace kernelarium::archive
