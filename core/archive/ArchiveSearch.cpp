// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/SearchRun.h"

namespace kernelarium::archive {

Result<SearchResult> Archive::Reader::search(const SearchQuery& query, const std::stop_token& stop) {
    std::unique_ptr<const Pattern> pattern;
    if (!query.text.empty() && query.regex) {
        auto compiled = Pattern::regex(query.text, query.matchCase);
        if (!compiled) return compiled.error();
        pattern = std::move(compiled).value();
    } else if (!query.text.empty()) {
        pattern = Pattern::literal(query.text, query.matchCase);
    }
    return SearchRun(*this, query, std::move(pattern), stop).run();
}

} // namespace kernelarium::archive
