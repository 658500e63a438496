// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/KernelName.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <utility>

namespace kernelarium::text {

namespace {

constexpr std::string_view anonymous = "(anonymous namespace)";
constexpr std::string_view operatorWord = "operator";

bool isNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Finds the name in what the demangler writes: RESULT NAME<ARGUMENTS>(PARAMETERS) QUALIFIERS.
class Signature {
public:
    explicit Signature(std::string_view text)
        : m_text(text) {}

    std::string_view name() {
        while (m_at < m_text.size())
            if (!step()) break;
        return m_text.substr(m_start, m_at - m_start);
    }

private:
    [[nodiscard]] bool at(std::string_view expected) const { return m_text.substr(m_at).starts_with(expected); }

    /// False at the parenthesis that opens the parameters.
    bool step() {
        const char c = m_text[m_at];
        if (at(anonymous)) {
            m_at += anonymous.size();
        } else if (c == '(') {
            const std::size_t next = afterParameters();
            // What stands in a function goes on after its parameters; a result type may be a decltype.
            if (m_at > m_start && !m_text.substr(next).starts_with("::")) return false;
            m_at = next;
        } else if (c == '<' || c == '{') {
            m_at = closing(m_at);
        } else if (at(operatorWord) && beginsWord() && endsWord()) {
            passOperator();
        } else {
            if (c == ' ') m_start = m_at + 1;
            ++m_at;
        }
        return true;
    }

    [[nodiscard]] bool beginsWord() const { return m_at == 0 || !isNamePart(m_text[m_at - 1]); }
    [[nodiscard]] bool endsWord() const {
        const std::size_t end = m_at + operatorWord.size();
        return end == m_text.size() || !isNamePart(m_text[end]);
    }

    void passOperator() {
        m_at += operatorWord.size();
        if (at("()") || at("[]")) {
            m_at += 2;
        } else if (at(" ") || at("\"")) { // a conversion, new, delete, a literal
            while (m_at < m_text.size() && m_text[m_at] != '(')
                m_at = m_text[m_at] == '<' ? closing(m_at) : m_at + 1;
        } else {
            m_at += symbolLength();
        }
        if (at(" <")) ++m_at; // "operator< <int>"
    }

    [[nodiscard]] std::size_t symbolLength() const {
        for (const std::string_view symbol : {"->*", "<<=", ">>=", "<=>"})
            if (at(symbol)) return symbol.size();
        for (const std::string_view symbol : {"->", "<<", ">>", "++", "--", "&&", "||",
                                              "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|="})
            if (at(symbol)) return symbol.size();
        return m_at < m_text.size() ? 1 : 0;
    }

    /// Past the parentheses at the place and the qualifiers of the function behind them.
    [[nodiscard]] std::size_t afterParameters() const {
        std::size_t end = closing(m_at);
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view word : {" const", " volatile", " &&", " &", " noexcept"})
                if (m_text.substr(end).starts_with(word)) {
                    end += word.size();
                    more = true;
                }
        }
        return end;
    }

    /// Past the bracket that closes the one at the place. '>' closes nothing between parentheses and after '-'.
    [[nodiscard]] std::size_t closing(std::size_t place) const {
        std::string open;
        for (std::size_t i = place; i < m_text.size(); ++i) {
            const char c = m_text[i];
            if (c == '(' || c == '<' || c == '{') open += c;
            if (c == '>' && open.back() == '<' && m_text[i - 1] != '-') open.pop_back();
            if (c == ')' || c == '}') {
                const std::size_t mate = open.rfind(c == ')' ? '(' : '{');
                if (mate == std::string::npos) return i;
                open.resize(mate);
            }
            if (open.empty()) return i + 1;
        }
        return m_text.size();
    }

    std::string_view m_text;
    std::size_t m_start = 0;
    std::size_t m_at = 0;
};

/// A number or a truth value from `at` on, without the letters that say its type; empty: there is none.
std::string valueAt(std::string_view text, std::size_t& at) {
    for (const auto& [word, value] : {std::pair<std::string_view, const char*>{"true", "1"}, {"false", "0"}})
        if (text.substr(at).starts_with(word) &&
            (at + word.size() == text.size() || !isNamePart(text[at + word.size()]))) {
            at += word.size();
            return value;
        }
    std::size_t end = at + (text[at] == '-');
    const std::size_t digits = end;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
        ++end;
    if (end == digits) return {};
    std::string value(text.substr(at, end - at));
    while (end < text.size() && (text[end] == 'u' || text[end] == 'l'))
        ++end;
    at = end;
    return value;
}

/// A title with its template arguments written alike.
std::string plainTitle(std::string_view name) {
    constexpr std::string_view unnamed = "<unnamed>", constant = "const ";
    std::string whole(name);
    for (std::size_t at; (at = whole.find(unnamed)) != std::string::npos;)
        whole.replace(at, unnamed.size(), anonymous);
    const std::string title = kernelTitle(whole);
    std::string plain;
    std::size_t endOfConstant = std::string::npos; // where "const" goes that stood in front of its type
    for (std::size_t at = 0; at < title.size();) {
        if (at == endOfConstant) plain += constant.substr(0, constant.size() - 1);
        const bool begins = at > 0 && (title[at - 1] == '<' || title[at - 1] == ',' || title[at - 1] == ' ');
        if (begins && title[at] == '(') { // a type in front of a value
            std::size_t behind = title.find(')', at);
            if (behind != std::string::npos && ++behind < title.size())
                if (const std::string value = valueAt(title, behind); !value.empty()) {
                    plain += value;
                    at = behind;
                    continue;
                }
        }
        if (begins && std::string_view(title).substr(at).starts_with(constant)) {
            at += constant.size();
            endOfConstant = std::min(title.find_first_of("*&,<>", at), title.size());
            continue;
        }
        if (begins) {
            if (const std::string value = valueAt(title, at); !value.empty()) {
                plain += value;
                continue;
            }
        }
        if (title[at] != ' ') plain += title[at];
        ++at;
    }
    return plain;
}

} // namespace

std::string demangled(std::string_view name) {
    std::string plain(name);
    if (!name.starts_with("_Z")) return plain; // the demangler would read "f" as the type float
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? std::string(text.get()) : plain;
}

std::string kernelTitle(std::string_view name) {
    const std::string signature = demangled(name);
    return std::string(Signature(signature).name());
}

bool isSameKernel(std::string_view one, std::string_view other) {
    return plainTitle(one) == plainTitle(other);
}

} // namespace kernelarium::text
