// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/Pattern.h"
#include "core/archive/search/RequiredRun.h"
#include "core/archive/search/RunWindows.h"
#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <re2/filtered_re2.h>
#include <re2/re2.h>

namespace kernelarium::archive {
namespace {

/// Of a compiled expression and its automaton. With the longest expression it bounds what a hostile one costs before it
/// is refused: classes of all letters and repetitions of hundreds make thousands of states of a few characters.
constexpr std::int64_t mostMemory = 2 << 20;
constexpr std::size_t longestExpression = 1000;
constexpr int shortestAtom = 2;

re2::RE2::Options optionsFor(bool matchCase) {
    re2::RE2::Options options;
    options.set_case_sensitive(matchCase);
    options.set_log_errors(false);
    options.set_max_mem(mostMemory);
    return options;
}

/// Texts that any match has to contain, and RE2's rule which of them; looked up in a signature.
class RegexFilter {
public:
    RegexFilter(const std::string& expression, const re2::RE2::Options& options, bool matchCase)
        : m_filter(shortestAtom)
        , m_matchCase(matchCase) {
        if (m_filter.Add(expression, options, &m_id) != re2::RE2::NoError) return;
        std::vector<std::string> atoms;
        m_filter.Compile(&atoms);
        for (const auto& atom : atoms)
            m_atoms.push_back(isAscii(atom) ? signatureBits(atom) : std::vector<std::uint16_t>());
        m_usable = true;
    }

    /// Null for what is not an expression.
    [[nodiscard]] const re2::RE2* expression() const { return m_usable ? &m_filter.GetRE2(m_id) : nullptr; }

    [[nodiscard]] TextSet possible(const SignatureTable& signatures) const {
        if (m_atoms.empty()) return signatures.all();
        std::vector<TextSet> having;
        for (const auto& bits : m_atoms)
            having.push_back(signatures.having(bits));
        // Two characters outside of ASCII are k and s in the other case.
        const std::array<std::uint16_t, 1> other = {otherLetterBit()};
        const TextSet strange = m_matchCase ? signatures.none() : signatures.having(other);
        TextSet set = signatures.none();
        std::map<std::vector<int>, bool> known; // few combinations of atoms occur
        std::vector<int> present;
        for (std::size_t slot = 0; slot < signatures.slotCount(); ++slot) {
            present.clear();
            for (std::size_t i = 0; i < having.size(); ++i)
                if (having[i].contains(slot)) present.push_back(static_cast<int>(i));
            if (strange.contains(slot) || mayMatch(present, known)) set.insert(slot);
        }
        return set;
    }

private:
    /// Whether RE2's rule holds for a text that has these atoms.
    bool mayMatch(const std::vector<int>& present, std::map<std::vector<int>, bool>& known) const {
        const auto [place, isNew] = known.try_emplace(present, false);
        if (isNew) {
            std::vector<int> potentials;
            m_filter.AllPotentials(present, &potentials);
            place->second = !potentials.empty();
        }
        return place->second;
    }

    static bool isAscii(const std::string& text) {
        return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
    }

    re2::FilteredRE2 m_filter;
    int m_id = 0;
    std::vector<std::vector<std::uint16_t>> m_atoms; ///< their bits; none: always there
    bool m_matchCase;
    bool m_usable = false;
};

class RegexPattern : public Pattern {
public:
    RegexPattern(const std::string& expression, bool matchCase)
        : m_filter("(?m)" + expression, optionsFor(matchCase), matchCase) { // lines are what a reader of code thinks in
        if (!isExpression()) return;
        m_run = RequiredRun::of(expression, matchCase);
        m_windows.emplace(expression, matchCase);
    }

    [[nodiscard]] bool isExpression() const { return m_filter.expression() != nullptr; }

    [[nodiscard]] TextSet possible(const SignatureTable& signatures) const override {
        const TextSet set = m_filter.possible(signatures);
        return m_windows->isEmpty() ? set : set.common(m_windows->possible(signatures));
    }

    [[nodiscard]] std::string_view prepared(std::string_view text, Scratch&) const override { return text; }

    [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const override {
        if (from > text.size()) return std::nullopt;
        // Looked for once in a text: it is where no match is that this saves the automaton's way through all of it.
        if (from == 0 && m_run && !m_run->mayMatch(text)) return std::nullopt;
        re2::StringPiece match;
        const re2::StringPiece whole(text.data(), text.size());
        if (!m_filter.expression()->Match(whole, from, text.size(), re2::RE2::UNANCHORED, &match, 1))
            return std::nullopt;
        return Match{static_cast<std::size_t>(match.data() - text.data()), match.size()};
    }

private:
    RegexFilter m_filter;
    std::optional<RequiredRun> m_run; ///< none: only the automaton knows
    std::optional<RunWindows> m_windows;
};

} // namespace

Result<std::unique_ptr<const Pattern>> Pattern::regex(const std::string& expression, bool matchCase) {
    const auto refused = [](const std::string& why) {
        return Error{"bad_input", fmt::format("The regular expression cannot be used: {}.", why),
                     "Its syntax is that of RE2; leave out --regex to search for the text literally."};
    };
    if (expression.size() > longestExpression)
        return refused(fmt::format("it is longer than {} characters", longestExpression));
    auto pattern = std::make_unique<RegexPattern>(expression, matchCase);
    if (!pattern->isExpression()) { // compiled once more for what is wrong with it
        const re2::RE2 wrong("(?m)" + expression, optionsFor(matchCase));
        return refused(wrong.error());
    }
    return std::unique_ptr<const Pattern>(std::move(pattern));
}

} // namespace kernelarium::archive
