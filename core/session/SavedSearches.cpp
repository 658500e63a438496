// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SavedSearches.h"

#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::session {
namespace {

using nlohmann::json;

constexpr std::string_view searchesKey = "archive.searches";

json searchJson(const SavedSearch& search) {
    return {{"name", search.name},
            {"text", search.text},
            {"literal", search.literal},
            {"regex", search.regex},
            {"match_case", search.matchCase},
            {"fold", search.foldDuplicates},
            {"names_only", search.namesOnly},
            {"sort", search.sort},
            {"descending", search.descending}};
}

/// Nothing for what is of another form: a newer version may have written it.
std::optional<SavedSearch> searchFrom(const json& j) {
    if (!j.is_object() || !j.contains("name") || !j["name"].is_string()) return std::nullopt;
    try {
        return SavedSearch{j["name"],
                           j.value("text", std::string()),
                           j.value("literal", false),
                           j.value("regex", false),
                           j.value("match_case", false),
                           j.value("fold", false),
                           j.value("sort", std::string()),
                           j.value("descending", false),
                           j.value("names_only", false)};
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

Result<void> writeSearches(SessionStore& store, const std::vector<SavedSearch>& searches) {
    json list = json::array();
    for (const auto& search : searches)
        list.push_back(searchJson(search));
    return store.setValue(searchesKey, list.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace

Result<std::vector<SavedSearch>> savedSearches(SessionStore& store) {
    auto value = store.value(searchesKey);
    if (!value) return value.error();
    std::vector<SavedSearch> searches;
    const auto list = value->has_value() ? text::untrustedJson(**value) : json::array();
    if (list.is_array())
        for (const auto& entry : list)
            if (auto search = searchFrom(entry)) searches.push_back(std::move(*search));
    std::sort(searches.begin(), searches.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return searches;
}

Result<void> saveSearch(SessionStore& store, const SavedSearch& search) {
    if (search.name.empty()) return Error{"bad_input", "A saved search needs a name."};
    auto searches = savedSearches(store);
    if (!searches) return searches.error();
    std::erase_if(*searches, [&](const auto& known) { return known.name == search.name; });
    searches->push_back(search);
    return writeSearches(store, *searches);
}

Result<void> renameSearch(SessionStore& store, std::string_view name, const std::string& other) {
    if (other.empty()) return Error{"bad_input", "A saved search needs a name."};
    auto searches = savedSearches(store);
    if (!searches) return searches.error();
    const auto named = [&](std::string_view wanted) {
        return std::find_if(searches->begin(), searches->end(),
                            [&](const auto& search) { return search.name == wanted; });
    };
    const auto found = named(name);
    if (found == searches->end()) return Error{"bad_input", fmt::format("There is no saved search '{}'.", name)};
    if (other != name && named(other) != searches->end())
        return Error{"bad_input", fmt::format("There is another saved search '{}'.", other), "Choose another name."};
    found->name = other;
    return writeSearches(store, *searches);
}

Result<void> removeSearch(SessionStore& store, std::string_view name) {
    auto searches = savedSearches(store);
    if (!searches) return searches.error();
    if (std::erase_if(*searches, [&](const auto& known) { return known.name == name; }) == 0)
        return Error{"bad_input", fmt::format("There is no saved search '{}'.", name),
                     "`kernelarium-cli archive searches` lists them."};
    return writeSearches(store, *searches);
}

} // namespace kernelarium::session
