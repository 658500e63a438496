// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/house/HouseRules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace kernelarium::house {

namespace {

const std::set<std::string> tops{"app", "ui", "core", "gpu", "resources", "archive_data", "tests", "packaging"};

/// What gpu takes from resources: the borders of the shim and of our own kernels, and what the build embeds: the shim's
/// headers, the exporter's files and the kernels.
const std::set<std::string> shimHeaders{"resources/shim/kernelarium/abi.h", "resources/ShimHeaders.h",
                                        "resources/PythonFiles.h",          "resources/operators/Arguments.h",
                                        "resources/OperatorSources.h",      "resources/ceilings/Arguments.h",
                                        "resources/CeilingSources.h",       "resources/KnownNames.h"};

std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> parts;
    std::istringstream in(path);
    for (std::string part; std::getline(in, part, '/');)
        parts.push_back(part);
    return parts;
}

std::string topOf(const std::string& path) {
    const std::size_t slash = path.find('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// <QString>, <QtCore/QString>, <QtTest>.
bool isQt(const std::string& target) {
    static const std::regex qt("^Q(t|[A-Z])");
    return std::regex_search(target, qt);
}

/// Whether a file under `from` may include `target`, which lies under one of `tops`.
bool allowedEdge(const std::string& from, const std::string& target) {
    const std::string to = topOf(target);
    if (from == "tests") return true;
    if (to == "tests" || to == "app") return from == to;
    if (from == "core") return to == "core";
    if (from == "gpu") return to == "core" || to == "gpu" || shimHeaders.count(target) != 0;
    if (from == "ui")
        return to == "core" || to == "ui" || target.starts_with("gpu/protocol/") || target.starts_with("gpu/cluster/");
    if (from == "app") return to == "core" || to == "gpu" || to == "ui";
    return from == to; // resources, archive_data
}

/// Blanks comments, so that what stands in them is not a directive. Strings are left alone: an include directive
/// cannot begin inside one except in a raw string, which is then read as if it were code.
std::string withoutComments(std::string_view text) {
    std::string out(text);
    bool block = false, quote = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const char next = i + 1 < out.size() ? out[i + 1] : '\0';
        if (block) {
            block = !(out[i] == '*' && next == '/');
            if (!block) out[i + 1] = ' ';
            if (out[i] != '\n') out[i] = ' ';
        } else if (quote) {
            if (out[i] == '\\')
                ++i;
            else if (out[i] == '"' || out[i] == '\n')
                quote = false;
        } else if (out[i] == '/' && next == '*') {
            block = true;
            out[i] = out[i + 1] = ' ';
            ++i;
        } else if (out[i] == '/' && next == '/') {
            while (i < out.size() && out[i] != '\n')
                out[i++] = ' ';
        } else if (out[i] == '"') {
            quote = true;
        }
    }
    return out;
}

bool isVagueName(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    static constexpr std::array<std::string_view, 7> vague{"util",    "utils",  "utilities", "helper",
                                                           "helpers", "common", "misc"};
    return std::any_of(vague.begin(), vague.end(), [&](std::string_view word) {
        return name == word || (word != "common" && name.ends_with(word));
    });
}

} // namespace

std::string Violation::description() const {
    return fmt::format("{}{}: {}: {}", path, line > 0 ? fmt::format(":{}", line) : "", rule, text);
}

std::vector<Include> includesOf(std::string_view text) {
    static const std::regex directive(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
    std::vector<Include> includes;
    std::istringstream lines(withoutComments(text));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch match;
        if (std::regex_search(line, match, directive))
            includes.push_back({number, match[2].str(), match[1].str() == "\""});
    }
    return includes;
}

std::vector<Violation> checkIncludes(const std::string& path, std::string_view text) {
    std::vector<Violation> found;
    const std::string from = topOf(path);
    const bool mayUseQt = from == "ui" || from == "app" || from == "tests";
    for (const Include& include : includesOf(text)) {
        if (include.target.find("..") != std::string::npos)
            found.push_back(
                {path, include.line, "relative include", include.target + "; include from the repository's root"});
        if (isQt(include.target) && !mayUseQt)
            found.push_back({path, include.line, "Qt outside ui, app and tests", include.target});
        if (tops.count(topOf(include.target)) != 0 && !allowedEdge(from, include.target))
            found.push_back({path, include.line, "edge " + from + " -> " + topOf(include.target), include.target});
    }
    return found;
}

std::vector<Violation> checkPath(const std::string& path) {
    std::vector<Violation> found;
    std::vector<std::string> parts = split(path);
    for (std::string& part : parts) {
        const std::string stem = part.substr(0, part.find('.'));
        if (isVagueName(stem)) found.push_back({path, 0, "name that says nothing", part});
    }
    return found;
}

std::vector<Violation> checkText(const std::string& path, std::string_view text) {
    std::vector<Violation> found;
    if (!text.starts_with("// SPDX-License-Identifier: GPL-3.0-or-later\n"))
        found.push_back({path, 1, "licence line", "the first line is not the SPDX identifier"});
    const bool header = path.ends_with(".h") && !path.starts_with("resources/");
    if (header && text.find("\n#pragma once\n") == std::string_view::npos)
        found.push_back({path, 0, "header guard", "no #pragma once"});
    if (lineCount(text) > mostLines)
        found.push_back(
            {path, 0, "length", std::to_string(lineCount(text)) + " lines; at most " + std::to_string(mostLines)});
    return found;
}

int lineCount(std::string_view text) {
    return int(std::count(text.begin(), text.end(), '\n')) + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

} // namespace kernelarium::house
