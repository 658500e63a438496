// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/BracketedCode.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

using tuning::CodeToken;

constexpr std::size_t longestList = 600; // pieces between < and >

bool opens(std::string_view piece) {
    return piece == "(" || piece == "[" || piece == "{";
}

} // namespace

BracketedCode::BracketedCode(std::string_view text, const std::vector<CodeToken>& code)
    : m_text(text) {
    for (const CodeToken& token : code)
        if (!token.inDirective && token.kind != CodeToken::Kind::directive &&
            token.kind != CodeToken::Kind::endOfDirective)
            m_code.push_back(token);
    matchBrackets();
}

void BracketedCode::matchBrackets() {
    m_match.assign(m_code.size(), 0);
    std::vector<At> open;
    for (At i = 0; i < m_code.size(); ++i) {
        const std::string_view t = text(i);
        if (opens(t)) open.push_back(i);
        if (t != ")" && t != "]" && t != "}") continue;
        const std::string_view wanted = t == ")" ? "(" : t == "]" ? "[" : "{";
        // A brace closes what was left open in it; a parenthesis too many closes nothing.
        while (t == "}" && !open.empty() && !is(open.back(), "{"))
            open.pop_back();
        if (open.empty() || !is(open.back(), wanted)) continue;
        m_match[open.back()] = i;
        m_match[i] = open.back();
        open.pop_back();
    }
    for (At i : open)
        m_match[i] = is(i, "{") ? m_code.size() - 1 : i;
}

BracketedCode::At BracketedCode::matching(At i) const {
    return std::max(m_match[i], i);
}

BracketedCode::At BracketedCode::afterList(At i) const {
    int depth = 0;
    for (At k = i; k < m_code.size() && k < i + longestList; ++k) {
        const std::string_view t = text(k);
        if (opens(t)) {
            k = matching(k);
        } else if (t == "<") {
            ++depth;
        } else if (t == ">" && !is(k - 1, "-")) {
            if (--depth == 0) return k + 1;
        } else if (t == ";" || t == ")" || t == "}" || t == "]") {
            return i;
        }
    }
    return i;
}

BracketedCode::At BracketedCode::statementEnd(At i, At end) const {
    for (; i < end; ++i) {
        const std::string_view t = text(i);
        if (opens(t))
            i = matching(i);
        else if (t == ";" || t == "}")
            return i;
    }
    return end;
}

} // namespace kernelarium::ui
