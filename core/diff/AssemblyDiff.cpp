// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/AssemblyDiff.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kernelarium::diff {

namespace {

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

template <std::size_t N> bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 12> ptxRegisters{"r",  "rd", "rs", "rh", "rq", "f",
                                                        "fd", "h",  "hh", "p",  "b",  "rl"};
constexpr std::array<std::string_view, 5> sassRegisters{"R", "UR", "P", "UP", "B"};

/// How many characters of `word` name a register or label without its number; 0: it is none of them.
std::size_t lengthWithoutNumber(std::string_view word, bool afterPercent) {
    std::size_t digits = word.size();
    while (digits > 0 && isDigit(word[digits - 1]))
        --digits;
    if (digits == word.size() || digits == 0) return 0;
    const std::string_view name = word.substr(0, digits);
    if (afterPercent) return isOneOf(name, ptxRegisters) ? digits : 0;
    const bool label = name.starts_with("$L_") || name.starts_with("L_");
    return label || isOneOf(name, sassRegisters) ? digits : 0;
}

/// Comments of both kinds; an offset or encoding is one.
std::string withoutComments(std::string_view line) {
    std::string out;
    for (std::size_t i = 0; i < line.size();) {
        if (line.substr(i, 2) == "//") break;
        if (line.substr(i, 2) == "/*") {
            const std::size_t end = line.find("*/", i + 2);
            i = end == std::string_view::npos ? line.size() : end + 2;
            continue;
        }
        out += line[i++];
    }
    return out;
}

} // namespace

std::string comparableAssembly(std::string_view line) {
    const std::string code = withoutComments(line);
    std::string out;
    bool blank = false;
    for (std::size_t i = 0; i < code.size();) {
        const char c = code[i];
        if (std::isspace(static_cast<unsigned char>(c))) {
            blank = !out.empty();
            ++i;
            continue;
        }
        if (blank) out += ' ';
        blank = false;
        if (!isWord(c)) {
            out += c;
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < code.size() && isWord(code[end]))
            ++end;
        const std::string_view word = std::string_view(code).substr(i, end - i);
        const std::size_t kept = lengthWithoutNumber(word, i > 0 && code[i - 1] == '%');
        out += kept > 0 ? word.substr(0, kept) : word;
        i = end;
    }
    return out;
}

std::vector<Change> assemblyDiff(std::span<const std::string> a, std::span<const std::string> b,
                                 const std::stop_token& stop) {
    struct Side {
        std::vector<std::string> code;
        std::vector<int> line; ///< of the listing, by code; behind the last one its end
    };
    const auto read = [](std::span<const std::string> lines) {
        Side side;
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (std::string code = comparableAssembly(lines[i]); !code.empty()) {
                side.code.push_back(std::move(code));
                side.line.push_back(int(i));
            }
        side.line.push_back(int(lines.size()));
        return side;
    };
    const Side first = read(a), second = read(b);
    // A change reaches from its first line to the one behind its last, comments between them included.
    const auto place = [](const Side& side, int at, int count) {
        const int from = side.line[std::size_t(at)];
        return std::pair(from, count == 0 ? 0 : side.line[std::size_t(at + count - 1)] + 1 - from);
    };
    std::vector<Change> changes = listDiff(first.code, second.code, stop);
    for (Change& change : changes) {
        const auto [oldFirst, oldCount] = place(first, change.oldFirst, change.oldCount);
        const auto [newFirst, newCount] = place(second, change.newFirst, change.newCount);
        change = {oldFirst, oldCount, newFirst, newCount};
    }
    return changes;
}

} // namespace kernelarium::diff
