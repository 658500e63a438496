// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Space.h"

#include <algorithm>
#include <charconv>

namespace kernelarium::tuning {

namespace {

bool isLetterOf(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A word that can stand without quotes: nobody takes it for a number or a boolean, and it ends at a blank.
bool standsBare(const std::string& text) {
    if (text.empty() || !isLetterOf(text[0])) return false;
    if (text == "true" || text == "false" || text == "inf" || text == "nan") return false;
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return c > ' ' && c != 0x7f && c != '"' && c != '\\' && c != '='; });
}

std::string quotedText(const std::string& text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < ' ' || byte == 0x7f) {
            out += "\\x";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string keyWordOf(const std::string& text) {
    return standsBare(text) ? text : quotedText(text);
}

struct KeyWord {
    std::string text;
    bool quoted = false;
};

/// Reads the words of a key from left to right.
class KeyReader {
public:
    explicit KeyReader(std::string_view key)
        : m_key(key) {}

    void skipBlanks() {
        while (m_at < m_key.size() && (m_key[m_at] == ' ' || m_key[m_at] == '\t'))
            ++m_at;
    }
    bool atEnd() const { return m_at >= m_key.size(); }
    bool take(char c) {
        if (atEnd() || m_key[m_at] != c) return false;
        ++m_at;
        return true;
    }
    std::optional<KeyWord> word() {
        if (take('"')) return restOfQuoted();
        KeyWord word;
        while (!atEnd() && m_key[m_at] != ' ' && m_key[m_at] != '\t' && m_key[m_at] != '=' && m_key[m_at] != '"')
            word.text += m_key[m_at++];
        if (word.text.empty()) return std::nullopt;
        return word;
    }

private:
    std::optional<KeyWord> restOfQuoted() {
        KeyWord word{{}, true};
        while (!atEnd()) {
            const char c = m_key[m_at++];
            if (c == '"') return word;
            if (c != '\\') {
                word.text += c;
                continue;
            }
            if (take('x')) {
                unsigned byte = 0;
                const char* from = m_key.data() + m_at;
                if (m_key.size() - m_at < 2 || std::from_chars(from, from + 2, byte, 16).ptr != from + 2)
                    return std::nullopt;
                m_at += 2;
                word.text += char(byte);
            } else if (!atEnd()) {
                word.text += m_key[m_at++];
            }
        }
        return std::nullopt; // no closing quote
    }

    std::string_view m_key;
    std::size_t m_at = 0;
};

bool isValueMeant(const Value& value, const KeyWord& word) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text == word.text && (word.quoted || standsBare(word.text));
    if (word.quoted) return false;
    if (textOf(value) == word.text) return true;
    const auto* real = std::get_if<double>(&value); // 1e-5 is 1e-05, too
    if (!real) return false;
    double number = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [ptr, error] = std::from_chars(word.text.data(), end, number);
    return error == std::errc() && ptr == end && number == *real;
}

} // namespace

std::string Space::key(const Point& point) const {
    std::string key;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        if (i > 0) key += ' ';
        const Value& v = value(point, i);
        const auto* text = std::get_if<std::string>(&v);
        key += keyWordOf(m_parameters[i].name) + '=' + (text ? keyWordOf(*text) : textOf(v));
    }
    return key;
}

std::optional<Point> Space::pointOf(std::string_view key) const {
    Point point;
    point.at.resize(m_parameters.size());
    std::vector<bool> set(m_parameters.size(), false);
    KeyReader reader(key);
    for (reader.skipBlanks(); !reader.atEnd(); reader.skipBlanks()) {
        const std::optional<KeyWord> name = reader.word();
        if (!name || !reader.take('=')) return std::nullopt;
        const std::optional<KeyWord> word = reader.word();
        if (!word) return std::nullopt;
        const auto parameter = std::find_if(m_parameters.begin(), m_parameters.end(),
                                            [&](const Parameter& p) { return p.name == name->text; });
        if (parameter == m_parameters.end()) return std::nullopt;
        const auto index = std::size_t(parameter - m_parameters.begin());
        const auto value = std::find_if(parameter->values.begin(), parameter->values.end(),
                                        [&](const Value& v) { return isValueMeant(v, *word); });
        if (set[index] || value == parameter->values.end()) return std::nullopt;
        set[index] = true;
        point.at[index] = std::uint32_t(value - parameter->values.begin());
    }
    if (std::find(set.begin(), set.end(), false) != set.end()) return std::nullopt;
    return point;
}

} // namespace kernelarium::tuning
