// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/Wrapped.h"

#include <algorithm>
#include <sstream>

namespace kernelarium::kernelgen {

namespace {

std::string listFrom(std::string line, const std::string& below, const std::vector<std::string>& items,
                     const std::string& tail) {
    std::string out;
    bool isFirst = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const bool isLast = i + 1 == items.size();
        const std::string item = items[i] + (isLast ? "" : ",");
        if (!isFirst && line.size() + 1 + item.size() + (isLast ? tail.size() : 0) > columns) {
            out += line + "\n";
            line = below + item;
        } else {
            line += (isFirst ? "" : " ") + item;
        }
        isFirst = false;
    }
    return out + line + tail;
}

struct Extent {
    std::ptrdiff_t lines = 1;
    bool fits = true;
};
Extent extentOf(const std::string& text) {
    Extent e;
    e.lines = 1 + std::count(text.begin(), text.end(), '\n');
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        e.fits = e.fits && line.size() <= columns;
    return e;
}

std::string indentOf(const std::string& line) {
    return line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
}

} // namespace

std::string wrappedList(const std::string& head, const std::vector<std::string>& items, const std::string& tail) {
    const std::string aligned = listFrom(head, std::string(head.size(), ' '), items, tail);
    const std::string below = indentOf(head) + "    ";
    const std::string own = head + "\n" + listFrom(below, below, items, tail);
    const Extent a = extentOf(aligned), b = extentOf(own);
    const bool isDeclaration = !head.starts_with(' ');
    return a.fits && (isDeclaration || a.lines <= b.lines || !b.fits) ? aligned : own;
}

std::string wrappedStatement(const std::string& line) {
    if (line.size() <= columns) return line;
    const std::size_t equals = line.find(" = "), sum = line.find(" += ");
    const std::size_t at = std::min(equals, sum);
    if (at == std::string::npos) return line;
    const std::size_t value = line.find("= ", at) + 2;
    const std::string rest = line.substr(value), below = indentOf(line) + "    ";
    if (rest.find(" ? ") == std::string::npos && rest.find(" && ") != std::string::npos) {
        std::string out, current = line.substr(0, value);
        bool isFirst = true;
        for (std::size_t from = 0; from < rest.size();) {
            const std::size_t next = rest.find(" && ", from);
            const std::string part =
                next == std::string::npos ? rest.substr(from) : rest.substr(from, next - from) + " &&";
            if (!isFirst && current.size() + 1 + part.size() > columns) {
                out += current + "\n";
                current = std::string(value, ' ') + part;
            } else {
                current += (isFirst ? "" : " ") + part;
            }
            isFirst = false;
            from = next == std::string::npos ? rest.size() : next + 4;
        }
        return out + current;
    }
    return line.substr(0, value - 1) + "\n" + below + rest;
}

std::string alignedComments(const std::string& lines) {
    std::vector<std::pair<std::string, std::string>> below; // lines with comments, one after another
    std::istringstream in(lines);
    std::string out;
    const auto write = [&] {
        std::size_t width = 0;
        for (const auto& [code, comment] : below)
            width = std::max(width, code.size());
        for (const auto& [code, comment] : below)
            out += code + std::string(width - code.size(), ' ') + comment + "\n";
        below.clear();
    };
    for (std::string line; std::getline(in, line);) {
        const std::size_t at = line.find(" // ");
        if (at != std::string::npos) {
            below.emplace_back(line.substr(0, at), line.substr(at));
            continue;
        }
        write();
        out += line + "\n";
    }
    write();
    return out;
}

std::string filled(const std::string& first, const std::string& rest, const std::string& words) {
    std::istringstream in(words);
    std::string out, line = first, word;
    bool isFirst = true;
    while (in >> word) {
        if (!isFirst && line.size() + 1 + word.size() > columns) {
            out += line + "\n";
            line = rest + word;
        } else {
            line += (isFirst ? "" : " ") + word;
        }
        isFirst = false;
    }
    return out + line + "\n";
}

} // namespace kernelarium::kernelgen
