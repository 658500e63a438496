// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/JsonTokens.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::archive {
namespace {

/// The position behind the string that begins at `quote`; the end of the text when it is not closed.
std::size_t behindString(std::string_view json, std::size_t quote) {
    std::size_t from = quote + 1;
    while (from < json.size()) {
        const auto* close = static_cast<const char*>(std::memchr(json.data() + from, '"', json.size() - from));
        if (close == nullptr) return json.size();
        const auto at = static_cast<std::size_t>(close - json.data());
        std::size_t slashes = 0;
        while (at - slashes > quote + 1 && json[at - slashes - 1] == '\\')
            ++slashes;
        if (slashes % 2 == 0) return at + 1;
        from = at + 1;
    }
    return json.size();
}

bool endsWord(std::string_view json, std::size_t at) {
    return at >= json.size() || (std::isalnum(static_cast<unsigned char>(json[at])) == 0 && json[at] != '_');
}

/// The length of a non-finite number's token at `at`, or 0.
std::size_t nonFiniteToken(std::string_view json, std::size_t at) {
    for (const std::string_view token : {"NaN", "Infinity", "-Infinity"})
        if (json.substr(at).starts_with(token) && endsWord(json, at + token.size())) return token.size();
    return 0;
}

} // namespace

std::size_t nestingDepth(std::string_view json) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        if (c == '"') {
            at = behindString(json, at);
            continue;
        }
        if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
        if ((c == '}' || c == ']') && depth > 0) --depth;
        ++at;
    }
    return deepest;
}

bool mayHaveNonFinite(std::string_view json) {
    return json.find("NaN") != std::string_view::npos || json.find("Infinity") != std::string_view::npos;
}

std::string nonFiniteToNull(std::string_view json) {
    std::string clean;
    clean.reserve(json.size() + 64);
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        std::size_t end = at + 1;
        if (c == '"') end = behindString(json, at);
        if (c == 'N' || c == 'I' || c == '-') {
            if (const auto length = nonFiniteToken(json, at)) {
                clean += "null";
                at += length;
                continue;
            }
        }
        clean += json.substr(at, end - at);
        at = end;
    }
    return clean;
}

} // namespace kernelarium::archive
