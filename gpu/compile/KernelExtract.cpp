// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/KernelExtract.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <vector>

namespace kernelarium::compile {

namespace {

/// A statement of the module's outermost level.
struct Statement {
    std::string_view text;
    std::string_view name; ///< of the function or variable; empty for directives, which are always kept
    bool isEntry = false;
    bool keep = false;
};

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}
bool isNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

std::size_t skipComment(std::string_view ptx, std::size_t at) {
    if (ptx.compare(at, 2, "//") == 0) return std::min(ptx.find('\n', at), ptx.size());
    if (ptx.compare(at, 2, "/*") == 0) {
        const std::size_t end = ptx.find("*/", at + 2);
        return end == std::string_view::npos ? ptx.size() : end + 2;
    }
    return at;
}

class Splitter {
public:
    explicit Splitter(std::string_view ptx)
        : m_ptx(ptx) {}

    std::vector<Statement> run() {
        while (skipBlank())
            m_out.push_back(statement());
        return std::move(m_out);
    }

private:
    bool skipBlank() {
        while (m_at < m_ptx.size()) {
            const std::size_t after = skipComment(m_ptx, m_at);
            if (after != m_at)
                m_at = after;
            else if (std::isspace(static_cast<unsigned char>(m_ptx[m_at])))
                ++m_at;
            else
                return true;
        }
        return false;
    }

    [[nodiscard]] bool startsWith(std::string_view word) const { return m_ptx.compare(m_at, word.size(), word) == 0; }

    Statement statement() {
        const std::size_t start = m_at;
        Statement out;
        if (startsWith(".version") || startsWith(".target") || startsWith(".address_size") || startsWith(".file")) {
            m_at = std::min(m_ptx.find('\n', m_at), m_ptx.size());
        } else if (startsWith(".section")) {
            skipBraces();
        } else {
            scanDeclaration(out);
        }
        out.text = m_ptx.substr(start, m_at - start);
        return out;
    }

    /// Up to the ';' or, for a function's definition, the '}' that ends it; notes the name on the way: the first one
    /// that follows a '.func' with its optional result, or an '.entry', or the last before '[', '=' or ';' of a
    /// variable.
    void scanDeclaration(Statement& out) {
        bool function = false, named = false;
        int parentheses = 0;
        while (m_at < m_ptx.size()) {
            const char c = m_ptx[m_at];
            if (const std::size_t after = skipComment(m_ptx, m_at); after != m_at) {
                m_at = after;
            } else if (c == '"') {
                m_at = std::min(m_ptx.find('"', m_at + 1), m_ptx.size() - 1) + 1;
            } else if (c == ';') {
                ++m_at;
                return;
            } else if (c == '{') {
                skipBraces();
                if (function) return;
            } else if (c == '.' || isNameStart(c) || c == '%') {
                const std::size_t start = m_at++;
                while (m_at < m_ptx.size() && isNamePart(m_ptx[m_at]))
                    ++m_at;
                const std::string_view word = m_ptx.substr(start, m_at - start);
                if (word == ".func" || word == ".entry") function = true;
                if (word == ".entry") out.isEntry = true;
                if (isNameStart(c) && parentheses == 0 && !named) {
                    out.name = word;
                    named = true;
                }
            } else {
                parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (c == '=') named = true;
                ++m_at;
            }
        }
    }

    void skipBraces() {
        m_at = std::min(m_ptx.find('{', m_at), m_ptx.size());
        int depth = 0;
        while (m_at < m_ptx.size()) {
            const std::size_t special = m_ptx.find_first_of("{}\"/", m_at);
            if (special == std::string_view::npos) {
                m_at = m_ptx.size();
                return;
            }
            m_at = special;
            if (m_ptx[m_at] == '/') {
                const std::size_t after = skipComment(m_ptx, m_at);
                m_at = after == m_at ? m_at + 1 : after;
            } else if (m_ptx[m_at] == '"') {
                m_at = std::min(m_ptx.find('"', m_at + 1), m_ptx.size() - 1) + 1;
            } else {
                depth += m_ptx[m_at++] == '{' ? 1 : -1;
                if (depth == 0) return;
            }
        }
    }

    std::string_view m_ptx;
    std::size_t m_at = 0;
    std::vector<Statement> m_out;
};

template <class F> void forEachName(std::string_view text, F f) {
    for (std::size_t i = 0; i < text.size();) {
        if (!isNameStart(text[i]) && text[i] != '%' && text[i] != '.') {
            ++i;
            continue;
        }
        const std::size_t start = i++;
        while (i < text.size() && isNamePart(text[i]))
            ++i;
        if (isNameStart(text[start])) f(text.substr(start, i - start));
    }
}

} // namespace

std::string extractKernels(std::string_view ptx) {
    std::vector<Statement> statements = Splitter(ptx).run();
    std::unordered_map<std::string_view, std::vector<std::size_t>> byName;
    std::vector<std::size_t> pending;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        Statement& s = statements[i];
        if (!s.name.empty()) byName[s.name].push_back(i);
        s.keep = s.name.empty() || s.isEntry;
        if (s.isEntry) pending.push_back(i);
    }
    while (!pending.empty()) {
        const std::string_view text = statements[pending.back()].text;
        pending.pop_back();
        forEachName(text, [&](std::string_view name) {
            const auto found = byName.find(name);
            if (found == byName.end()) return;
            for (const std::size_t i : found->second)
                if (!statements[i].keep) {
                    statements[i].keep = true;
                    pending.push_back(i);
                }
        });
    }
    std::string out;
    out.reserve(ptx.size() / 2);
    for (const Statement& s : statements)
        if (s.keep) out.append(s.text).append("\n");
    return out;
}

} // namespace kernelarium::compile
