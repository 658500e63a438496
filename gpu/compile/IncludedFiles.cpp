// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/IncludedFiles.h"

#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/SourceTokens.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

namespace kernelarium::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostFiles = 1000;
constexpr std::uintmax_t largestFile = std::uintmax_t(4) << 20;

std::string blanksOff(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r\n");
    return from == std::string_view::npos ? std::string() : std::string(text.substr(from, to - from + 1));
}

/// The name in "..." or <...>; empty where it is neither.
std::string nameIn(const std::string& text) {
    const char end = text.starts_with("\"") ? '"' : text.starts_with("<") ? '>' : 0;
    const std::size_t at = end ? text.find(end, 1) : std::string::npos;
    return at == std::string::npos ? std::string() : text.substr(1, at - 1);
}

std::string includedFrom(const Directive& directive, const text::CompilerSettings& settings) {
    const std::string rest = blanksOff(directive.rest);
    if (std::string name = nameIn(rest); !name.empty()) return name;
    for (const std::string& macro : settings.macros)
        if (macro.starts_with("-D" + rest + "=")) return nameIn(macro.substr(rest.size() + 3));
    return {};
}

std::optional<std::string> readWhole(const fs::path& file) {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem) || fs::file_size(file, problem) > largestFile || problem)
        return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

bool hasExceptions(const SourceTokens& tokens) {
    return std::any_of(tokens.tokens.begin(), tokens.tokens.end(),
                       [](const Token& t) { return t.text == "throw" || t.text == "try"; });
}

} // namespace

IncludedFiles includedFiles(const SourceTokens& source, const text::CompilerSettings& settings) {
    struct Wanted {
        std::string name;
        fs::path beside; ///< folder of the file that includes it; empty: the source
        fs::path within; ///< the same, in the copies
    };
    IncludedFiles found;
    if (settings.folders.empty()) return found;
    std::vector<Wanted> wanted;
    std::set<fs::path> seen;
    bool changed = false;
    const auto want = [&](const SourceTokens& tokens, const fs::path& beside, const fs::path& within) {
        for (const Directive& directive : tokens.directives)
            if (directive.name == "include")
                if (std::string name = includedFrom(directive, settings); !name.empty())
                    wanted.push_back({std::move(name), beside, within});
    };
    want(source, {}, {});
    for (std::size_t i = 0; i < wanted.size() && seen.size() < mostFiles; ++i) {
        const Wanted one = wanted[i];
        std::vector<fs::path> places(settings.folders.begin(), settings.folders.end());
        if (!one.beside.empty()) places.insert(places.begin(), one.beside);
        for (const fs::path& place : places) {
            const fs::path file = (place / one.name).lexically_normal();
            if (seen.contains(file)) break;
            const std::optional<std::string> text = readWhole(file);
            if (!text) continue;
            seen.insert(file);
            const SourceTokens tokens = tokenize(*text);
            found.includesTorch |= scan(tokens).includesTorch;
            const fs::path name = (place == one.beside ? one.within / one.name : fs::path(one.name)).lexically_normal();
            want(tokens, file.parent_path(), name.parent_path());
            const bool inside = name.is_relative() && *name.begin() != "..";
            if (!inside) break;
            IncludedFiles::Copy copy{name.string(), *text, file.parent_path()};
            if (hasExceptions(tokens)) {
                RewrittenSource rewritten = rewriteExceptions(*text, tokens);
                // Guards are definitions before the source, with names of its own: what needs some stays as it is.
                if (rewritten.changed && rewritten.refused.empty() && rewritten.guards.empty()) {
                    copy.text = std::move(rewritten.text);
                    changed = true;
                }
            }
            found.copies.push_back(std::move(copy));
            break;
        }
    }
    if (!changed) found.copies.clear();
    return found;
}

std::vector<std::string> foldersWith(const IncludedFiles& files, const fs::path& copies,
                                     const std::vector<std::string>& folders) {
    std::error_code ignored;
    fs::remove_all(copies, ignored);
    if (files.copies.empty()) return folders;
    std::vector<std::string> all{copies.string()};
    all.insert(all.end(), folders.begin(), folders.end());
    for (const IncludedFiles::Copy& file : files.copies) {
        const fs::path copy = copies / file.name;
        fs::create_directories(copy.parent_path(), ignored);
        std::ofstream(copy, std::ios::binary) << file.text;
        if (std::find(all.begin(), all.end(), file.folder.string()) == all.end()) all.push_back(file.folder.string());
    }
    return all;
}

} // namespace kernelarium::compile
