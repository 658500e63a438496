// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/NamedParts.h"

#include "resources/ShimHeaders.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kernelarium::compile {

namespace {

/// Of the parts that KL_WITHOUT_NAMED_PARTS leaves out as they stand; cuda_api.h says its own by KL_NAMED_API.
constexpr std::string_view wordsOfParts[] = {
    // nn_*.h
    "nn",
    // torch_autograd.h
    "autograd", "IValue", "InferenceMode", "AutoDispatchBelowAutograd", "AutoDispatchBelowADInplaceOrView",
    "AutoNonVariableTypeMode", "AutoGradMode", "GradMode",
    // torch_library.h
    "Library", "dispatch", "DispatchKey", "TORCH_FN", "TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT", "TORCH_LIBRARY_IMPL",
    // cuda_api.h
    "cudaGetDeviceProperties"};

bool isOfWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// What stands between each `before` and the next `behind`.
template <class F> void forEachBetween(std::string_view text, std::string_view before, char behind, F f) {
    for (std::size_t at = text.find(before); at != std::string_view::npos; at = text.find(before, at)) {
        at += before.size();
        f(text.substr(at, text.find(behind, at) - at));
    }
}

using PartNames = std::unordered_set<std::string_view>;

const PartNames& partNames() {
    static const PartNames names = [] {
        PartNames all(std::begin(wordsOfParts), std::end(wordsOfParts));
        for (const resources::ShimHeader& header : resources::shimHeaders())
            forEachBetween(header.text, "\nKL_NAMED_API(", ',', [&](std::string_view name) { all.insert(name); });
        return all;
    }();
    return names;
}

/// `own`: what other words name, too.
template <class F> bool hasNameOfPart(std::string_view text, F own) {
    const PartNames& names = partNames();
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isOfWord(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty() && (names.count(word) > 0 || own(word))) return true;
        at = std::max(end, at + 1);
    }
    return false;
}

/// A word that does not stand there in one piece: a line goes on within it.
bool splitsWords(std::string_view text) {
    for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
        std::size_t next = at + 1;
        if (next < text.size() && text[next] == '\r') ++next;
        if (next + 1 < text.size() && text[next] == '\n' && isOfWord(text[next + 1]) && at > 0 &&
            isOfWord(text[at - 1]))
            return true;
    }
    return false;
}

struct HeaderFacts {
    bool named = false; ///< a name of a part stands in it
    std::vector<std::string_view> includes;
};

/// Of the shim's headers, by name.
const std::unordered_map<std::string_view, HeaderFacts>& headerFacts() {
    static const std::unordered_map<std::string_view, HeaderFacts> all = [] {
        std::unordered_map<std::string_view, HeaderFacts> facts;
        for (const resources::ShimHeader& header : resources::shimHeaders()) {
            HeaderFacts& of = facts[header.name];
            of.named = hasNameOfPart(header.text, [](std::string_view) { return false; });
            forEachBetween(header.text, "#include \"", '"',
                           [&](std::string_view next) { of.includes.push_back(next); });
        }
        return facts;
    }();
    return all;
}

/// Adds a header of the shim, and those that it includes, to `seen`. Whether one that is new has a name of a part.
bool addHeader(std::string_view name, std::set<std::string_view>& seen) {
    const auto found = headerFacts().find(name);
    if (found == headerFacts().end() || !seen.insert(found->first).second) return false;
    bool has = found->second.named;
    for (const std::string_view next : found->second.includes)
        has |= addHeader(next, seen);
    return has;
}

} // namespace

bool namesParts(std::string_view text) {
    if (text.find("##") != std::string_view::npos || text.find("%:%:") != std::string_view::npos || splitsWords(text))
        return true;
    return hasNameOfPart(text, [](std::string_view word) {
        return word == "kl" || word.starts_with("KL_") || word.starts_with("klr_");
    });
}

bool includesParts(const std::vector<std::string>& includes, std::string_view prelude) {
    std::set<std::string_view> seen;
    addHeader(prelude, seen);
    return std::any_of(includes.begin(), includes.end(), [&](const std::string& name) {
        return headerFacts().count(name) == 0 || addHeader(name, seen);
    });
}

} // namespace kernelarium::compile
