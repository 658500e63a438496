// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/ProgramEntry.h"

#include <algorithm>
#include <array>

namespace kernelarium::compile {

namespace {

class MainFinder {
public:
    MainFinder(std::string_view source, const std::vector<Token>& tokens)
        : m_source(source)
        , m_tokens(tokens) {}

    /// Whether a definition of `main` begins at this name.
    [[nodiscard]] bool definesAt(std::size_t name, int depth) const {
        if (text(name) != "main" || text(name + 1) != "(" || name == 0) return false;
        static constexpr std::array<std::string_view, 4> types{"int", "void", "auto", "signed"};
        const std::string_view type = text(name - 1);
        if (std::find(types.begin(), types.end(), type) == types.end()) return false;
        // Braces of branches that the preprocessor leaves out are counted, too: a line's first word decides then.
        const std::size_t at = m_tokens[name - 1].offset;
        return (depth == 0 || at == 0 || m_source[at - 1] == '\n') && bodyOf(name) < m_tokens.size();
    }
    /// The `{` of its body; past the end where there is none.
    [[nodiscard]] std::size_t bodyOf(std::size_t name) const {
        std::size_t i = closing(name + 1) + 1;
        while (i < m_tokens.size() && text(i) != "{" && text(i) != ";")
            ++i;
        return text(i) == "{" ? i : m_tokens.size();
    }
    [[nodiscard]] std::size_t closing(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < m_tokens.size(); ++i) {
            if (text(i) == "(" || text(i) == "{") ++depth;
            if ((text(i) == ")" || text(i) == "}") && --depth == 0) return i;
        }
        return m_tokens.size();
    }
    /// Whether the last statement of a body leaves the function.
    [[nodiscard]] bool leaves(std::size_t open, std::size_t close) const {
        if (close <= open + 1 || text(close - 1) != ";") return false;
        std::size_t first = close - 1;
        while (first > open + 1 && text(first - 1) != ";" && text(first - 1) != "{" && text(first - 1) != "}")
            --first;
        return text(first) == "return";
    }
    [[nodiscard]] bool returnsNothing(std::size_t name) const { return text(name - 1) == "void"; }
    [[nodiscard]] std::string_view text(std::size_t i) const {
        return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
    }

private:
    std::string_view m_source;
    const std::vector<Token>& m_tokens;
};

} // namespace

ProgramEntry::ProgramEntry(std::string_view source, const SourceTokens& tokens) {
    const MainFinder finder(source, tokens.tokens);
    int depth = 0;
    for (std::size_t i = 0; i < tokens.tokens.size(); ++i) {
        const bool linkage = finder.text(i) == "{" && i >= 2 && finder.text(i - 2) == "extern";
        if (finder.text(i) == "{" && !linkage) ++depth;
        if (finder.text(i) == "}" && depth > 0) --depth;
        if (!finder.definesAt(i, depth)) continue;
        m_found = true;
        const std::size_t open = finder.bodyOf(i), close = finder.closing(open);
        if (close >= tokens.tokens.size() || finder.returnsNothing(i) || finder.leaves(open, close)) continue;
        m_open.push_back(tokens.tokens[close].offset);
        m_lines.push_back(positionOf(source, m_open.back()).line);
    }
}

void plainLambdas(std::string& text, const SourceTokens& source) {
    const std::vector<Token>& tokens = source.tokens;
    const auto annotates = [&](std::size_t i) {
        return tokens[i].text == "__device__" || tokens[i].text == "__host__";
    };
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!annotates(i) || tokens[i - 1].text != "]") continue;
        std::size_t end = i;
        while (end < tokens.size() && annotates(end))
            ++end;
        if (end == tokens.size() || (tokens[end].text != "(" && tokens[end].text != "{")) continue; // an attribute
        for (; i < end; ++i)
            text.replace(tokens[i].offset, tokens[i].text.size(), tokens[i].text.size(), ' ');
    }
}

std::string ProgramEntry::before() const {
    return m_found ? "#define main kl_main\n#line 1 \"kernel.cu\"\n" : "";
}

std::string ProgramEntry::behind() const {
    if (!m_found) return {};
    return std::string("\n#undef main\n#line 1 \"kernelarium\"\n#include \"kernelarium/program.h\"\n") +
           "extern \"C\" __attribute__((used)) void " + programEntry +
           "(int count, char** values) { exit(::kl::runMain(&kl_main, count, values)); }\n";
}

bool ProgramEntry::causes(const Diagnostic& found) const {
    return found.severity == Severity::warning && found.file == "kernel.cu" &&
           found.text.find("unreachable") != std::string::npos &&
           std::find(m_lines.begin(), m_lines.end(), found.line) != m_lines.end();
}

} // namespace kernelarium::compile
