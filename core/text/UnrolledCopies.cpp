// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/UnrolledCopies.h"

#include "core/text/CppLiterals.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

namespace kernelarium::text {

namespace {

constexpr std::uint64_t assumedFactor = 4; ///< of a loop whose factor is not written there
constexpr std::uint64_t most = 1 << 20;

/// What stands behind `word` and spaces at the start of `text`; nothing where it does not start so.
bool skipWord(std::string_view& text, std::string_view word) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos || !text.substr(start).starts_with(word)) return false;
    text.remove_prefix(start + word.size());
    return true;
}

/// The factor of a directive, from the '#' to its line's end; 0 where it is another directive.
std::uint64_t factorOf(std::string_view line) {
    line.remove_prefix(1);
    if (!skipWord(line, "pragma") || !skipWord(line, "unroll")) return 0;
    if (!line.empty() && (std::isalnum(static_cast<unsigned char>(line.front())) || line.front() == '_')) return 0;
    const std::size_t start = line.find_first_not_of(" \t(");
    std::uint64_t factor = 0;
    if (start == std::string_view::npos) return assumedFactor;
    const auto [end, error] = std::from_chars(line.data() + start, line.data() + line.size(), factor);
    return error == std::errc{} ? std::clamp<std::uint64_t>(factor, 1, most) : assumedFactor;
}

/// The loops that are open at a place.
class OpenLoops {
public:
    void unrolled(std::uint64_t factor) {
        const std::uint64_t around = m_loops.empty() ? 1 : m_loops.back().copies;
        m_loops.push_back({depth(), std::min(around * factor, most)});
        m_copies = std::max(m_copies, m_loops.back().copies);
    }
    void see(char c) {
        if (c == '(') ++m_parentheses;
        if (c == ')' && m_parentheses > 0) --m_parentheses;
        if (c == '{') m_around.push_back(std::exchange(m_parentheses, 0)); // a lambda's statements are statements
        if (c == '}' && !m_around.empty()) {
            m_parentheses = m_around.back();
            m_around.pop_back();
        }
        // The end of a statement is that of the loops whose whole body it was; a loop's head has semicolons and
        // braces too.
        if ((c == '}' || c == ';') && m_parentheses == 0)
            while (!m_loops.empty() && m_loops.back().depth >= depth())
                m_loops.pop_back();
    }
    [[nodiscard]] std::uint64_t copies() const { return m_copies; }

private:
    struct Loop {
        std::size_t depth;    ///< braces around it
        std::uint64_t copies; ///< of what it repeats
    };
    [[nodiscard]] std::size_t depth() const { return m_around.size(); }
    std::vector<Loop> m_loops;
    std::vector<int> m_around; ///< the parentheses that were open before each brace that is open
    int m_parentheses = 0;
    std::uint64_t m_copies = 1;
};

} // namespace

std::uint64_t unrolledCopies(std::string_view source) {
    if (source.find("unroll") == std::string_view::npos) return 1;
    const std::string code = withoutComments(source);
    OpenLoops loops;
    bool isFirstOfLine = true;
    for (std::size_t at = 0; at < code.size();) {
        const char c = code[at];
        if (c == '"' || c == '\'') {
            at = afterQuoted(code, at);
            continue;
        }
        if (c == '#' && isFirstOfLine) {
            const std::size_t end = std::min(code.find('\n', at), code.size());
            if (const std::uint64_t factor = factorOf(std::string_view(code).substr(at, end - at)))
                loops.unrolled(factor);
            at = end;
            continue;
        }
        isFirstOfLine = c == '\n' || (isFirstOfLine && (c == ' ' || c == '\t'));
        loops.see(c);
        ++at;
    }
    return loops.copies();
}

} // namespace kernelarium::text
