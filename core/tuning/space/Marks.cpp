// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Marks.h"

#include "core/tuning/space/ValueList.h"

#include <utility>

namespace kernelarium::tuning {

namespace {

bool isBlankOf(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
bool isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

class EntryReader {
public:
    EntryReader(std::string_view text, Mark& mark, std::size_t& left, TextProblems& problems)
        : m_text(text)
        , m_mark(mark)
        , m_stream(mark.tokens)
        , m_left(left)
        , m_problems(problems) {}

    void run() {
        bool first = true;
        for (;;) {
            while (m_stream.peek().kind == MarkToken::Kind::line || m_stream.isSymbol(";"))
                m_stream.next();
            if (m_stream.peek().kind == MarkToken::Kind::end || m_problems.size() >= mostTextProblems) return;
            if (!first && m_stream.isWord("tune") && !m_stream.isSymbol(":", 1) && !m_stream.isSymbol("=", 1))
                m_stream.next(); // said again on a line of a block
            first = false;
            entry();
            m_stream.skipEntry();
        }
    }

private:
    void refuse(std::string message, std::string action) {
        m_problems.push_back({m_stream.peek().begin, m_stream.peek().end, std::move(message), std::move(action)});
    }

    void entry() {
        MarkEntry entry;
        entry.begin = entry.nameEnd = m_stream.peek().begin;
        if (m_stream.peek().kind == MarkToken::Kind::word) {
            const MarkToken& name = m_stream.next();
            entry.name = name.text;
            entry.nameEnd = name.end;
        }
        if (m_stream.isSymbol("=") && !ownValue(entry)) return;
        if (!m_stream.take(":")) {
            refuse(entry.name.empty()
                       ? "Here a name should stand, or a colon, not " + m_stream.found() + "."
                       : "After `" + entry.name + "` comes a colon, and here is " + m_stream.found() + ".",
                   "A mark is `tune: VALUES`, `tune NAME: VALUES` or `tune where: CONDITION`.");
            return;
        }
        if (entry.isWhere()) {
            entry.expression = m_stream.at();
            if (m_stream.atEntryEnd()) return refuse("No condition follows.", "Write one, like `TILE * TILE <= 1024`.");
            m_stream.skipEntry();
        } else {
            std::optional<std::vector<Value>> values = readValueList(m_stream, m_problems);
            if (!values) return;
            if (values->size() > m_left) return refuse("The marks list more than 1,048,576 values in all.", {});
            m_left -= values->size();
            entry.values = *std::move(values);
        }
        entry.end = m_stream.peek().begin;
        while (entry.end > entry.nameEnd && (isBlankOf(m_text[entry.end - 1]) || m_text[entry.end - 1] == '\n'))
            --entry.end;
        m_mark.entries.push_back(std::move(entry));
    }

    bool ownValue(MarkEntry& entry) {
        if (!isSetting(entry.name)) {
            refuse("The text itself says what `" + entry.name + "` is.", "Leave out the `=` and its value.");
            return false;
        }
        m_stream.next();
        const MarkToken at = m_stream.peek();
        if (at.kind == MarkToken::Kind::number) {
            entry.own = readValue(m_stream, m_problems);
        } else if (m_stream.isWord("true") || m_stream.isWord("false")) {
            entry.own = m_stream.next().text == "true";
        } else {
            refuse("After `=` comes the value that holds now, and here is " + m_stream.found() + ".", {});
        }
        entry.ownBegin = at.begin;
        entry.ownEnd = at.end;
        return entry.own.has_value();
    }

    std::string_view m_text;
    Mark& m_mark;
    MarkStream m_stream;
    std::size_t& m_left; ///< values that may still be listed
    TextProblems& m_problems;
};

} // namespace

std::optional<std::size_t> markContent(std::string_view text, const CodeComment& comment) {
    std::size_t end = comment.end;
    if (comment.block && end >= comment.begin + 4 && text.substr(end - 2, 2) == "*/") end -= 2;
    std::size_t at = comment.begin + 2;
    const auto skipBlanks = [&] {
        while (at < end && isBlankOf(text[at]))
            ++at;
    };
    while (at < end && (text[at] == '/' || text[at] == '!' || text[at] == '*' || isBlankOf(text[at]) ||
                        (comment.block && text[at] == '\n')))
        ++at;
    if (text.substr(at, std::min<std::size_t>(4, end - at)) != "tune") return std::nullopt;
    at += 4;
    if (at < end && isLetterOrDigit(text[at])) return std::nullopt;
    const std::size_t content = at;
    skipBlanks();
    if (at >= end) return std::nullopt;
    if (text[at] == ':' || (comment.block && text[at] == '\n')) return content;
    if (text[at] >= '0' && text[at] <= '9') return content; // the colon was forgotten
    const std::size_t name = at;
    while (at < end && isLetterOrDigit(text[at]))
        ++at;
    const std::string_view word = text.substr(name, at - name);
    if (word == "where" || word == "pow2" || isSetting(word)) return content;
    skipBlanks();
    const bool isEntry = !word.empty() && at < end && (text[at] == ':' || text[at] == '=');
    return isEntry ? std::optional(content) : std::nullopt;
}

Mark readMark(std::string_view text, const CodeComment& comment, std::size_t content, std::size_t& values,
              TextProblems& problems) {
    std::size_t end = comment.end;
    if (comment.block && end >= content + 2 && text.substr(end - 2, 2) == "*/") end -= 2;
    Mark mark{comment, markTokens(text, content, end, problems), {}};
    EntryReader(text, mark, values, problems).run();
    return mark;
}

} // namespace kernelarium::tuning
