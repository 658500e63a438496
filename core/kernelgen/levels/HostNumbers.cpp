// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/levels/HostNumbers.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace kernelarium::kernelgen {

namespace {

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

/// Parted at the commas outside of all brackets.
std::vector<std::string_view> partedAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += std::string_view("([{").find(text[i]) != std::string_view::npos;
        depth -= std::string_view(")]}").find(text[i]) != std::string_view::npos;
        if (text[i] == ',' && depth == 0) parts.push_back(trimmed(text.substr(from, i - from))), from = i + 1;
    }
    parts.push_back(trimmed(text.substr(from)));
    return parts;
}

/// Thrown where the text has another form or a name is not known; it does not leave this file.
struct Unknown {};

class HostExpression {
public:
    HostExpression(std::string_view text, const std::map<std::string, std::int64_t, std::less<>>& values)
        : m_text(text)
        , m_values(values) {}

    std::int64_t run() {
        const std::int64_t value = choice();
        skip();
        if (m_at != m_text.size()) throw Unknown{};
        return value;
    }

private:
    void skip() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }
    bool take(std::string_view sign) {
        skip();
        if (m_text.substr(m_at, sign.size()) != sign) return false;
        m_at += sign.size();
        return true;
    }
    void expect(std::string_view sign) {
        if (!take(sign)) throw Unknown{};
    }

    std::int64_t choice() {
        const std::int64_t condition = comparison();
        if (!take("?")) return condition;
        const std::int64_t yes = choice();
        expect(":");
        const std::int64_t no = choice();
        return condition ? yes : no;
    }
    std::int64_t comparison() {
        const std::int64_t a = sum();
        if (take("==")) return a == sum();
        if (take("!=")) return a != sum();
        if (take("<=")) return a <= sum();
        if (take(">=")) return a >= sum();
        if (take("<")) return a < sum();
        if (take(">")) return a > sum();
        return a;
    }
    std::int64_t sum() {
        std::int64_t value = product();
        while (true) {
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
        }
    }
    std::int64_t product() {
        std::int64_t value = single();
        while (true) {
            if (take("*")) {
                value *= single();
            } else if (take("/")) {
                const std::int64_t by = single();
                if (by == 0) throw Unknown{};
                value /= by;
            } else if (take("%")) {
                const std::int64_t by = single();
                if (by == 0) throw Unknown{};
                value %= by;
            } else {
                return value;
            }
        }
    }
    std::int64_t single() {
        skip();
        if (take("(")) {
            const std::int64_t value = choice();
            expect(")");
            return value;
        }
        if (take("-")) return -single();
        if (m_at >= m_text.size()) throw Unknown{};
        if (std::isdigit(static_cast<unsigned char>(m_text[m_at]))) {
            std::int64_t value = 0;
            while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])))
                value = value * 10 + (m_text[m_at++] - '0');
            if (m_at < m_text.size() && (m_text[m_at] == '.' || isNameCharacter(m_text[m_at]))) throw Unknown{};
            return value;
        }
        return named();
    }
    std::string name() {
        std::string out;
        while (m_at < m_text.size() &&
               (isNameCharacter(m_text[m_at]) || m_text[m_at] == '.' || m_text.substr(m_at, 2) == "::")) {
            if (m_text[m_at] == ':') out += m_text[m_at++];
            out += m_text[m_at++];
        }
        if (out.empty()) throw Unknown{};
        return out;
    }
    std::int64_t named() {
        const std::string word = name();
        // Of a template's argument, "std::max<int64_t>(": a type tells nothing.
        if (m_text.substr(m_at, 1) == "<") {
            const std::size_t end = m_text.find(">(", m_at);
            const bool isType =
                end != std::string_view::npos && std::all_of(m_text.begin() + std::ptrdiff_t(m_at) + 1,
                                                             m_text.begin() + std::ptrdiff_t(end), isNameCharacter);
            if (isType) m_at = end + 1;
        }
        if (m_at >= m_text.size() || m_text[m_at] != '(') return valueOf(word);
        ++m_at;
        std::vector<std::int64_t> arguments;
        if (!take(")")) {
            do
                arguments.push_back(choice());
            while (take(","));
            expect(")");
        }
        return called(word, arguments);
    }
    std::int64_t valueOf(const std::string& word) const {
        const auto it = m_values.find(word);
        if (it == m_values.end()) throw Unknown{};
        return it->second;
    }
    std::int64_t called(const std::string& word, const std::vector<std::int64_t>& a) const {
        if (word.ends_with(".numel") && a.empty()) return valueOf(word + "()");
        if (word.ends_with(".size") && a.size() == 1) return valueOf(word + "(" + std::to_string(a[0]) + ")");
        if (a.size() == 2 && word == "blocks" && a[1] > 0)
            return std::max<std::int64_t>(1, (a[0] + a[1] - 1) / a[1]); // as KernelFile writes it
        if (a.size() == 2 && (word == "std::max" || word == "max")) return std::max(a[0], a[1]);
        if (a.size() == 2 && (word == "std::min" || word == "min")) return std::min(a[0], a[1]);
        if (a.size() == 1 && (word == "int" || word == "int64_t" || word == "Index" || word == "unsigned")) return a[0];
        throw Unknown{};
    }

    std::string_view m_text;
    const std::map<std::string, std::int64_t, std::less<>>& m_values;
    std::size_t m_at = 0;
};

} // namespace

std::optional<std::int64_t> HostNumbers::of(std::string_view expression) const {
    try {
        return HostExpression(trimmed(expression), m_values).run();
    } catch (const Unknown&) {
        return std::nullopt;
    }
}

void HostNumbers::declare(std::string_view line) {
    line = trimmed(line.substr(0, line.find("//")));
    for (const std::string_view type : {"constexpr int ", "const int64_t ", "const int "}) {
        if (!line.starts_with(type) || !line.ends_with(';')) continue;
        line.remove_prefix(type.size());
        line.remove_suffix(1);
        for (const std::string_view part : partedAtCommas(line)) {
            const std::size_t at = part.find('=');
            if (at == std::string_view::npos) continue;
            if (const auto value = of(part.substr(at + 1))) set(std::string(trimmed(part.substr(0, at))), *value);
        }
        return;
    }
    constexpr std::string_view made = " = torch::empty({";
    const std::size_t at = line.find(made);
    if (at == std::string_view::npos) return;
    const std::string_view before = trimmed(line.substr(0, at)), rest = line.substr(at + made.size());
    const std::size_t end = rest.find('}'), space = before.rfind(' ');
    if (end == std::string_view::npos || space == std::string_view::npos) return;
    std::int64_t count = 1;
    if (!trimmed(rest.substr(0, end)).empty())
        for (const std::string_view part : partedAtCommas(rest.substr(0, end))) {
            const auto value = of(part);
            if (!value) return;
            count *= *value;
        }
    set(std::string(before.substr(space + 1)) + ".numel()", count);
}

std::vector<std::string> HostNumbers::partsOfDim3(std::string_view text) {
    text = trimmed(text);
    if (!text.starts_with("dim3(") || !text.ends_with(")")) return {std::string(text)};
    std::vector<std::string> parts;
    for (const std::string_view part : partedAtCommas(text.substr(5, text.size() - 6)))
        parts.emplace_back(part);
    return parts;
}

} // namespace kernelarium::kernelgen
