// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The rules of the house that a machine can check (ARCHITECTURE.md). Everything takes a path relative to
/// the repository and the file's text, so that a planted violation can be given as text.
namespace kernelarium::house {

struct Include {
    int line = 0; ///< 1-based
    std::string target;
    bool quoted = false; ///< "..." rather than <...>
};

struct Violation {
    std::string path;
    int line = 0; ///< 0: the file as a whole
    std::string rule;
    std::string text;

    [[nodiscard]] std::string description() const;
};

/// The include directives of a file, those inside comments left out.
[[nodiscard]] std::vector<Include> includesOf(std::string_view text);

/// Edges that the house does not have: app -> {ui, core, gpu}; ui -> {core, gpu/protocol, gpu/cluster}; gpu ->
/// core; core -> core. Qt belongs to ui, app and tests. Of resources, only the shim is included, by gpu: its border
/// (abi.h) and its embedded headers.
[[nodiscard]] std::vector<Violation> checkIncludes(const std::string& path, std::string_view text);

/// Names: nothing called utils, helpers, common or misc.
[[nodiscard]] std::vector<Violation> checkPath(const std::string& path);

/// Licence line first, `#pragma once` in headers, at most `mostLines` lines.
[[nodiscard]] std::vector<Violation> checkText(const std::string& path, std::string_view text);

inline constexpr int mostLines = 600;

[[nodiscard]] int lineCount(std::string_view text);

} // namespace kernelarium::house
