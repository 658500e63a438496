// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/LiveRegisters.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace kernelarium::tools {

namespace {

std::string_view trimmedLine(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

/// `.section .text._Z3addPKfPfi,"ax",@progbits`: ".text._Z3addPKfPfi"; empty for other lines.
std::string_view sectionOf(std::string_view line) {
    line = trimmedLine(line);
    if (!line.starts_with(".section")) return {};
    line = trimmedLine(line.substr(8));
    return line.substr(0, line.find(','));
}

/// `/*01b0*/  ULEA.HI UR9, ... ;`: "01b0"; empty for other lines, those with the second half of an encoding among them.
std::string_view offsetOf(std::string_view line) {
    line = trimmedLine(line);
    const auto end = line.find("*/");
    if (!line.starts_with("/*") || end == std::string_view::npos || end < 6) return {};
    const std::string_view digits = line.substr(2, end - 2);
    return std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c) != 0; })
               ? digits
               : std::string_view();
}

/// `... ; // |  4   ^    :  |  1 |`: "4", the count of the first column, which is of the general registers.
std::string_view countOf(std::string_view line) {
    const auto comment = line.rfind("// |");
    if (comment == std::string_view::npos) return {};
    line = trimmedLine(line.substr(comment + 4));
    return line.substr(0, std::min(line.find_first_not_of("0123456789"), line.size()));
}

template <class Take> void eachLine(std::string_view text, Take&& take) {
    std::string section;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (const std::string_view begun = sectionOf(line); !begun.empty()) section = begun;
        take(line, section);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string keyOf(const std::string& section, std::string_view offset) {
    return section + '\n' + std::string(offset);
}

} // namespace

std::string withLiveRegisters(std::string_view listing, std::string_view lives) {
    std::unordered_map<std::string, std::string_view> counts;
    eachLine(lives, [&](std::string_view line, const std::string& section) {
        const std::string_view offset = offsetOf(line), count = countOf(line);
        if (!offset.empty() && !count.empty()) counts.emplace(keyOf(section, offset), count);
    });
    std::string all;
    all.reserve(listing.size() + 16 * counts.size());
    eachLine(listing, [&](std::string_view line, const std::string& section) {
        all += line;
        if (const std::string_view offset = offsetOf(line); !offset.empty())
            if (const auto count = counts.find(keyOf(section, offset)); count != counts.end())
                (((all += "  // |  ") += count->second) += "  |");
        all += '\n';
    });
    return all;
}

} // namespace kernelarium::tools
