// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/CppLiterals.h"

#include <algorithm>
#include <string>

namespace kernelarium::text {

std::size_t afterQuoted(std::string_view code, std::size_t at) {
    const char quote = code[at];
    std::size_t end = at + 1;
    for (; end < code.size() && code[end] != quote && code[end] != '\n'; ++end)
        if (code[end] == '\\' && end + 1 < code.size()) ++end;
    if (end >= code.size()) return code.size();
    return code[end] == quote ? end + 1 : end;
}

std::size_t afterRawString(std::string_view code, std::size_t at) {
    constexpr std::size_t longestName = 16;
    const std::size_t found = code.substr(at, longestName + 2).find('(');
    if (found == std::string_view::npos) return afterQuoted(code, at);
    const std::string close = ")" + std::string(code.substr(at + 1, found - 1)) + "\"";
    const std::size_t end = code.find(close, at + found);
    return end == std::string_view::npos ? code.size() : end + close.size();
}

std::size_t afterBlockComment(std::string_view code, std::size_t at) {
    const std::size_t end = code.find("*/", at + 2);
    return end == std::string_view::npos ? code.size() : end + 2;
}

std::string withoutComments(std::string_view code) {
    std::string out;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.substr(i).starts_with("//")) {
            i = std::min(code.find('\n', i), code.size());
            out += '\n';
        } else if (code.substr(i).starts_with("/*")) {
            out += ' ';
            i = afterBlockComment(code, i) - 1;
        } else if (code[i] == '"' || code[i] == '\'') {
            const auto end = afterQuoted(code, i);
            out += code.substr(i, end - i);
            i = end - 1;
        } else {
            out += code[i];
        }
    }
    return out;
}

} // namespace kernelarium::text
