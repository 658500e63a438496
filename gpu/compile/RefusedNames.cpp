// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/RefusedNames.h"

#include "resources/ShimHeaders.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace kernelarium::compile {

namespace {

constexpr std::string_view mark = "KL_REFUSED(";

void namesIn(std::string_view text, std::set<std::string_view>& names) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at)) {
        at += mark.size();
        names.insert(text.substr(at, text.find(')', at) - at));
    }
}

const std::set<std::string_view>& refusedNames() {
    static const std::set<std::string_view> names = [] {
        std::set<std::string_view> all;
        for (const resources::ShimHeader& header : resources::shimHeaders())
            if (std::string_view(header.name).ends_with("refused.h")) namesIn(header.text, all);
        return all;
    }();
    return names;
}

/// Whether a header of ours for the standard library has the word. It may be one that the source does not include.
bool isInStandardShim(std::string_view name) {
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (const resources::ShimHeader& header : resources::shimHeaders()) {
        if (!std::string_view(header.name).starts_with("kernelarium/std_")) continue;
        const std::string_view text = header.text;
        for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
            if ((at == 0 || !part(text[at - 1])) && (at + name.size() >= text.size() || !part(text[at + name.size()])))
                return true;
    }
    return false;
}

/// `namespace "at" has no member "svd"`, `identifier "svd" is undefined`: the last name in quotes.
std::string_view missingName(std::string_view text) {
    const bool missing = text.find("has no member \"") != std::string_view::npos ||
                         text.find("\" is undefined") != std::string_view::npos;
    const std::size_t close = missing ? text.rfind('"') : std::string_view::npos;
    if (close == std::string_view::npos || close == 0) return {};
    const std::size_t open = text.rfind('"', close - 1);
    return open == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

} // namespace

bool missesRefusedName(const std::vector<Diagnostic>& found) {
    return std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
        if (d.severity != Severity::error) return false;
        const std::string_view name = missingName(d.text);
        if (name.empty()) return false;
        const bool standard = d.text.starts_with("namespace \"std") || d.text.starts_with("identifier \"");
        return refusedNames().count(name) > 0 || (standard && isInStandardShim(name));
    });
}

} // namespace kernelarium::compile
