// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/OperatorSchema.h"

#include "gpu/host/backend/Raised.h"

#include <cstdlib>

namespace kernelarium::host {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

PyValue defaultOf(std::string_view text) {
    const std::string word(text);
    if (word == "None") return {};
    if (word == "True") return true;
    if (word == "False") return false;
    if (word.size() > 1 && (word[0] == '"' || word[0] == '\'')) return word.substr(1, word.size() - 2);
    char* end = nullptr;
    const long long integer = std::strtoll(word.c_str(), &end, 10);
    if (!word.empty() && *end == 0) return std::int64_t(integer);
    const double number = std::strtod(word.c_str(), &end);
    if (!word.empty() && *end == 0) return number;
    refuse("the default value " + word + " in an operator's schema");
}

/// One argument: "Tensor(a!)? x=None"; a lone "*" only says that names are wanted from there on.
void addArgument(std::string_view text, Definition& d) {
    text = trimmed(text);
    if (text.empty() || text == "*") return;
    const std::size_t equals = text.find('=');
    const std::string_view declared = trimmed(text.substr(0, equals));
    const std::size_t space = declared.rfind(' ');
    d.argumentNames.emplace_back(space == std::string_view::npos ? std::string_view() : declared.substr(space + 1));
    d.defaults.push_back(equals == std::string_view::npos ? std::nullopt
                                                          : std::optional(defaultOf(trimmed(text.substr(equals + 1)))));
}

} // namespace

void readSchema(std::string_view schema, Definition& d) {
    const std::size_t open = std::min(schema.find('('), schema.size());
    std::string_view name = trimmed(schema.substr(0, open));
    if (const std::size_t space = name.rfind("::"); space != std::string_view::npos) name = name.substr(space + 2);
    d.name = std::string(name.substr(0, name.find('.')));
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t i = open; i < schema.size(); ++i) {
        const char c = schema[i];
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        const bool ends = (c == ',' && depth == 1) || (c == ')' && depth == 0);
        if (!ends) continue;
        addArgument(schema.substr(begin, i - begin), d);
        begin = i + 1;
        if (c == ')') break;
    }
    if (open < schema.size()) d.arity = int(d.argumentNames.size());
}

} // namespace kernelarium::host
