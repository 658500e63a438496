// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/SearchOptions.h"

#include "app/cli/Output.h"
#include "core/archive/search/SearchSyntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace kernelarium::cli {

std::filesystem::path defaultSessionPath() {
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        return std::filesystem::path(xdg) / "kernelarium" / "sessions.sqlite";
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home != nullptr ? home : "") / ".local/share/kernelarium/sessions.sqlite";
}

void addSessionOption(CLI::App& command, std::filesystem::path& path) {
    path = defaultSessionPath();
    command.add_option("--session-file", path, "The session file, which keeps saved searches")
        ->default_str(path.string())
        ->option_text("FILE");
}

void addSearchOptions(CLI::App& command, SearchOptions& options) {
    command.add_option(
        "TEXT", options.text,
        "A text, with fields in it: task:1/23 op:softmax correct:yes 'speedup>2' uses:wmma error:compile 'all:\"shared "
        "conv\"' for each word, 're:x\\[[0-9]+\\]', verdict:wrong,fault reason:race; NOT (or -), OR and parentheses; one "
        "argument, so in quotes where it has spaces");
    auto* literal = command.add_flag("--literal", options.literal, "Take the whole text literally, including fields");
    command.add_flag("--regex", options.regex, "The text without its fields is a regular expression (RE2's syntax)")
        ->excludes(literal);
    command.add_flag("--match-case", options.matchCase, "Distinguish upper and lower case");
    command.add_flag("--fold", options.fold, "Fold kernels that differ only in comments and white space");
    auto* code = command.add_flag("--code-only", options.codeOnly, "Do not search names");
    command.add_flag("--names-only", options.namesOnly, "Do not search code")->excludes(code);
    command.add_option("--saved", options.saved, "Start from the saved search of this name")->option_text("NAME");
    addSessionOption(command, options.sessionFile);
    addFilterOptions(command, options.query);
}

Result<archive::SearchQuery> searchFrom(const SearchOptions& options) {
    auto asked = completed(options.query);
    if (!asked) return asked.error();
    archive::SearchQuery query = std::move(*asked);
    session::SavedSearch typed = savedFrom(options, {});
    if (!options.saved.empty()) {
        auto store = session::SessionStore::open(options.sessionFile);
        if (!store) return store.error();
        auto searches = session::savedSearches(*store);
        if (!searches) return searches.error();
        const auto found = std::find_if(searches->begin(), searches->end(),
                                        [&](const auto& search) { return search.name == options.saved; });
        if (found == searches->end())
            return Error{"bad_input", "There is no saved search '" + options.saved + "'.",
                         "`kernelarium-cli archive searches` lists them."};
        if (!typed.text.empty()) found->text += " " + typed.text;
        typed = *found;
        if (const auto sort = archive::sortColumnFromWord(typed.sort); sort && options.query.sort == "id") {
            query.kernels.sort = *sort;
            query.kernels.descending = typed.descending;
        }
    }
    query.inNames = !options.codeOnly;
    query.inCode = !options.namesOnly && !typed.namesOnly;
    query.matchCase = typed.matchCase;
    query.regex = typed.regex;
    query.foldDuplicates = typed.foldDuplicates;
    if (!typed.literal) return archive::parseSearch(typed.text, std::move(query));
    query.text = typed.text;
    return query;
}

session::SavedSearch savedFrom(const SearchOptions& options, const std::string& name) {
    return {name,
            options.text,
            options.literal,
            options.regex,
            options.matchCase,
            options.fold,
            options.query.sort == "id" ? "" : options.query.sort,
            options.query.query.descending,
            options.namesOnly};
}

} // namespace kernelarium::cli
