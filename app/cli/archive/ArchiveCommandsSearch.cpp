// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/SearchOptions.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

struct SearchCommand {
    SearchOptions search;
    std::filesystem::path verdicts;
    std::string save;
};

void printHitsJson(const archive::SearchResult& result, StoredVerdicts& verdicts) {
    auto hits = nlohmann::json::array();
    for (const auto& hit : result.hits) {
        auto json = withVerdict(hit.kernel, verdicts);
        json["match"] = {{"in_name", hit.inName}, {"in_code", hit.inCode}, {"line", hit.line},
                         {"column", hit.column},  {"text", hit.lineText},  {"count", hit.matches}};
        json["folded"] = hit.folded;
        hits.push_back(std::move(json));
    }
    printJson({{"complete", result.complete}, {"hits", hits}});
}

void printHits(const archive::SearchResult& result, StoredVerdicts& verdicts) {
    TextTable table({{"ID", TextTable::Align::right},
                     {"KERNEL"},
                     {"ARCHIVED AS"},
                     {"VERIFIED"},
                     {"LINE", TextTable::Align::right},
                     {"MATCHES", TextTable::Align::right},
                     {"TEXT"}});
    std::int64_t folded = 0;
    for (const auto& hit : result.hits) {
        table.add({std::to_string(hit.kernel.id), hit.kernel.label(), claimWord(hit.kernel),
                   verdicts.wordOf(hit.kernel),
                   hit.inCode   ? std::to_string(hit.line)
                   : hit.inName ? "name"
                                : "-",
                   std::to_string(hit.matches), printable(hit.lineText)});
        folded += hit.folded;
    }
    fmt::print("{}{}{}{}\n", table.text(), quantities::counted(double(result.hits.size()), "kernel"),
               folded > 0 ? fmt::format(", and {} with the same code as one of them", folded) : "",
               result.complete ? "" : " (there may be more: --limit 0 finds all)");
}

Result<void> keep(const SearchCommand& command) {
    auto store = session::SessionStore::open(command.search.sessionFile);
    if (!store) return store.error();
    return session::saveSearch(*store, savedFrom(command.search, command.save));
}

int runSearch(Context& context, const SearchCommand& command) {
    auto query = searchFrom(command.search);
    if (!query) return report(context, query.error());
    auto opened = archive::Archive::open(command.search.query.path);
    if (!opened) return report(context, opened.error());
    if (auto given = giveVerdicts(*query, command.search.query.path, command.verdicts); !given)
        return report(context, given.error());
    const StopOnSignal signals;
    auto result = opened->search(*query, signals.token());
    if (!result) return report(context, result.error());
    if (!command.save.empty())
        if (auto kept = keep(command); !kept) return report(context, kept.error());
    StoredVerdicts verdicts(command.search.query.path, command.verdicts);
    if (context.json)
        printHitsJson(*result, verdicts);
    else
        printHits(*result, verdicts);
    return exitSuccess;
}

int runSearches(Context& context, const std::filesystem::path& file, const std::string& removed) {
    auto store = session::SessionStore::open(file);
    if (!store) return report(context, store.error());
    if (!removed.empty())
        if (auto gone = session::removeSearch(*store, removed); !gone) return report(context, gone.error());
    auto searches = session::savedSearches(*store);
    if (!searches) return report(context, searches.error());
    auto list = nlohmann::json::array();
    TextTable table({{"NAME"}, {"TEXT"}, {"OPTIONS"}});
    for (const auto& s : *searches) {
        list.push_back({{"name", s.name},
                        {"text", s.text},
                        {"literal", s.literal},
                        {"regex", s.regex},
                        {"match_case", s.matchCase},
                        {"fold", s.foldDuplicates},
                        {"sort", s.sort},
                        {"descending", s.descending}});
        std::string options;
        for (const auto& [set, word] : {std::pair{s.literal, "literal "},
                                        {s.regex, "regex "},
                                        {s.matchCase, "case "},
                                        {s.foldDuplicates, "fold "}})
            if (set) options += word;
        if (!s.sort.empty()) options += fmt::format("sort {}{}", s.sort, s.descending ? " desc" : "");
        table.add({printable(s.name), printable(s.text), options});
    }
    if (context.json)
        printJson({{"searches", list}});
    else
        fmt::print("{}", table.text());
    return exitSuccess;
}

} // namespace

void addArchiveSearch(CLI::App& archive, Context& context) {
    auto options = std::make_shared<SearchCommand>();
    options->search.query.query.limit = 50;
    auto* command = archive.add_subcommand("search", "Find kernels by a text in their code or names, and by fields");
    addArchiveOption(*command, options->search.query.path);
    addVerdictsOption(*command, options->verdicts);
    addSearchOptions(*command, options->search);
    command->add_option("--save", options->save, "Save this search under a name")->option_text("NAME");
    command->callback([options, &context] { context.exitCode = runSearch(context, *options); });
}

void addArchiveSearches(CLI::App& archive, Context& context) {
    struct Options {
        std::filesystem::path file;
        std::string removed;
    };
    auto options = std::make_shared<Options>();
    auto* command = archive.add_subcommand("searches", "List the saved searches");
    addSessionOption(*command, options->file);
    command->add_option("--remove", options->removed, "Delete the saved search of this name")->option_text("NAME");
    command->callback(
        [options, &context] { context.exitCode = runSearches(context, options->file, options->removed); });
}

} // namespace kernelarium::cli
