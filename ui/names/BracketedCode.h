// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kernelarium::ui {

/// The tokens of a source without its directives, each bracket with its partner. Text that is being typed has
/// brackets too few and too many: every question has an answer there, too. An index past the end is an empty text.
class BracketedCode {
public:
    using At = std::size_t;

    /// `text` outlives the object; `code` are its tokens.
    BracketedCode(std::string_view text, const std::vector<tuning::CodeToken>& code);

    [[nodiscard]] std::string_view source() const { return m_text; }
    [[nodiscard]] std::size_t size() const { return m_code.size(); }

    [[nodiscard]] std::string_view text(At i) const { return i < size() ? m_code[i].of(m_text) : std::string_view(); }
    [[nodiscard]] bool is(At i, std::string_view what) const { return text(i) == what; }
    [[nodiscard]] bool isWord(At i) const { return i < size() && m_code[i].kind == tuning::CodeToken::Kind::word; }
    [[nodiscard]] bool isLiteral(At i) const {
        return i < size() && m_code[i].kind == tuning::CodeToken::Kind::literal;
    }
    /// One colon, and not of `::`.
    [[nodiscard]] bool isColon(At i) const { return is(i, ":") && !is(i + 1, ":") && !(i > 0 && is(i - 1, ":")); }
    /// Offsets in the text.
    [[nodiscard]] std::size_t beginOf(At i) const { return i < size() ? m_code[i].begin : m_text.size(); }
    [[nodiscard]] std::size_t endOf(At i) const { return i < size() ? m_code[i].end : m_text.size(); }

    /// The partner of the bracket at `i`; 0 for anything else.
    [[nodiscard]] At other(At i) const { return m_match[i]; }
    /// The closing partner of the bracket at `i`; `i` itself for anything else.
    [[nodiscard]] At matching(At i) const;
    /// Behind the > of a < at `i`; `i` itself where it is no list.
    [[nodiscard]] At afterList(At i) const;
    /// The ; that ends what begins at `i`, or `end`.
    [[nodiscard]] At statementEnd(At i, At end) const;

private:
    void matchBrackets();

    std::string_view m_text;
    std::vector<tuning::CodeToken> m_code;
    std::vector<At> m_match;
};

} // namespace kernelarium::ui
