// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceEditing.h"

#include "core/tuning/space/ExpressionParser.h"
#include "core/tuning/space/LineSubjects.h"
#include "core/tuning/space/Marks.h"

#include <algorithm>

namespace kernelarium::tuning {

namespace {

constexpr std::size_t mostWords = 500;

bool isKeyword(std::string_view word) {
    if (word == "tune" || word == "where" || word == "pow2" || word == "step" || isSetting(word)) return true;
    const std::vector<std::string>& known = expressionWords();
    return word != "true" && word != "false" && std::find(known.begin(), known.end(), word) != known.end();
}

CodeComment commentOf(const MarkedRange& mark, std::string_view text) {
    CodeComment comment;
    comment.begin = std::uint32_t(mark.begin);
    comment.end = std::uint32_t(mark.end);
    comment.block = text.substr(mark.begin, 2) == "/*";
    return comment;
}

/// The comment that a place is in, not at its very beginning.
const CodeComment* commentAt(const CodeTokens& tokens, std::size_t offset) {
    for (const CodeComment& comment : tokens.comments)
        if (offset >= comment.begin + 2 && offset <= comment.end) return &comment;
    return nullptr;
}

/// Collects what may stand at a place within a mark.
class Completer {
public:
    Completer(std::string_view text, const CodeTokens& tokens, const CodeComment& comment, std::size_t content,
              std::size_t offset)
        : m_text(text)
        , m_tokens(tokens)
        , m_comment(comment)
        , m_pieces(markTokens(text, content, offset, m_ignored)) {
        m_pieces.pop_back(); // the end
        m_out.begin = offset;
        if (!m_pieces.empty() && m_pieces.back().kind == MarkToken::Kind::word && m_pieces.back().end == offset) {
            m_typed = m_pieces.back().text;
            m_out.begin = m_pieces.back().begin;
            m_pieces.pop_back();
        }
        for (m_first = m_pieces.size(); m_first > 0; --m_first) {
            const MarkToken& piece = m_pieces[m_first - 1];
            if (piece.kind == MarkToken::Kind::line || piece.text == ";") break;
        }
    }

    SpaceCompletion run() {
        const bool isHead = std::none_of(m_pieces.begin() + std::ptrdiff_t(m_first), m_pieces.end(),
                                         [](const MarkToken& p) { return p.text == ":"; });
        if (isHead)
            heads();
        else if (m_pieces[m_first].text == "where")
            expression();
        else
            values();
        std::sort(m_out.words.begin(), m_out.words.end());
        m_out.words.erase(std::unique(m_out.words.begin(), m_out.words.end()), m_out.words.end());
        if (m_out.words.size() > mostWords) m_out.words.resize(mostWords);
        return std::move(m_out);
    }

private:
    void offer(const std::string& word) {
        if (word.starts_with(m_typed)) m_out.words.push_back(word);
    }

    void heads() {
        if (m_first < m_pieces.size()) return; // behind a name comes a colon
        const SpaceReading reading = readSpaceText(withoutEntry());
        const auto isKnown = [&](const std::string& name) {
            return std::any_of(reading.parameters.begin(), reading.parameters.end(),
                               [&](const Parameter& p) { return p.name == name; });
        };
        for (const char* word : {"where", "registers", "fast_math"})
            if (!isKnown(word)) offer(std::string(word) + ":");
        const DefinitionIndex definitions(m_text, m_tokens.code);
        for (const Definition& definition : definitions.all())
            if (definition.spot && !isKnown(definition.name)) offer(definition.name + ":");
        std::size_t at = m_comment.next;
        if (at > 0 &&
            m_text.substr(m_tokens.code[at - 1].end, m_comment.begin - m_tokens.code[at - 1].end).find('\n') ==
                std::string_view::npos)
            --at;
        if (at >= m_tokens.code.size()) return;
        for (const Subject& subject :
             subjectsOf(m_text, m_tokens.code, lineAround(m_text, m_tokens.code, at), definitions))
            if (!subject.name.empty() && subject.spot && !isKnown(subject.name)) offer(subject.name + ":");
    }

    /// The text without what is being typed, which need not stay.
    std::string withoutEntry() const {
        std::string text(m_text);
        const std::size_t end = std::min<std::size_t>(m_comment.end - (m_comment.block ? 2 : 0), text.size());
        for (std::size_t at = m_out.begin; at < end && text[at] != ';' && text[at] != '\n'; ++at)
            text[at] = ' ';
        return text;
    }

    void expression() {
        for (const std::string& word : expressionWords())
            offer(word);
        for (const Parameter& parameter : readSpaceText(std::string(m_text)).parameters) {
            offer(parameter.name);
            for (const Value& value : parameter.values)
                if (const auto* word = std::get_if<std::string>(&value)) offer(*word);
        }
    }

    void values() {
        if (m_pieces[m_first].text == "fast_math") {
            offer("false");
            offer("true");
            return;
        }
        const MarkToken& before = m_pieces.back();
        if (before.text == ":" || before.text == ",") offer("pow2");
        const bool afterRange = before.kind == MarkToken::Kind::number && m_pieces.size() > m_first + 1 &&
                                m_pieces[m_pieces.size() - 2].text == "..";
        if (afterRange) offer("step");
    }

    std::string_view m_text;
    const CodeTokens& m_tokens;
    const CodeComment& m_comment;
    TextProblems m_ignored;
    std::vector<MarkToken> m_pieces; ///< of the mark, up to what is being typed
    std::size_t m_first = 0;         ///< the entry's first
    std::string_view m_typed;
    SpaceCompletion m_out;
};

} // namespace

std::vector<MarkPart> partsOf(std::string_view text, const MarkedRange& mark,
                              const std::vector<Parameter>& parameters) {
    const std::optional<std::size_t> content = markContent(text, commentOf(mark, text));
    if (!content) return {};
    std::vector<MarkPart> parts{{MarkPart::Kind::keyword, *content - 4, *content}};
    std::size_t end = mark.end;
    if (text.substr(mark.begin, 2) == "/*" && end >= *content + 2 && text.substr(end - 2, 2) == "*/") end -= 2;
    TextProblems ignored;
    const std::vector<MarkToken> pieces = markTokens(text, *content, end, ignored);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const MarkToken& piece = pieces[i];
        MarkPart::Kind kind = MarkPart::Kind::symbol;
        if (piece.kind == MarkToken::Kind::line || piece.kind == MarkToken::Kind::end) continue;
        if (piece.kind == MarkToken::Kind::number || piece.kind == MarkToken::Kind::quoted) {
            kind = MarkPart::Kind::value;
        } else if (piece.kind == MarkToken::Kind::word) {
            const bool isHead = i + 1 < pieces.size() && pieces[i + 1].text == ":";
            const bool isName = isHead || std::any_of(parameters.begin(), parameters.end(),
                                                      [&](const Parameter& p) { return p.name == piece.text; });
            kind = isKeyword(piece.text) ? MarkPart::Kind::keyword
                   : isName              ? MarkPart::Kind::name
                                         : MarkPart::Kind::value;
        }
        parts.push_back({kind, piece.begin, piece.end});
    }
    return parts;
}

SpaceCompletion completionsAt(std::string_view text, std::size_t offset) {
    if (offset > text.size()) return {text.size(), {}};
    const CodeTokens tokens = codeTokens(text);
    const CodeComment* comment = commentAt(tokens, offset);
    if (!comment) return {offset, {}};
    if (const std::optional<std::size_t> content = markContent(text, *comment); content && offset >= *content)
        return Completer(text, tokens, *comment, *content, offset).run();
    const std::string_view typed = text.substr(comment->begin + 2, offset - comment->begin - 2);
    const std::size_t begin = std::min(typed.size(), typed.find_first_not_of(" \t"));
    SpaceCompletion out{comment->begin + 2 + begin, {}};
    for (const char* word : {"tune:", "tune where:", "tune registers:", "tune fast_math:"})
        if (begin < typed.size() && std::string_view(word).starts_with(typed.substr(begin)))
            out.words.emplace_back(word);
    return out;
}

} // namespace kernelarium::tuning
