// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/NamedShape.h"

#include "core/task/Cost.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace kernelarium::task {

namespace {

Error badShape(std::string_view text, const std::string& why) {
    return {"bad_input", fmt::format("`{}` is no shape: {}{}", text, why, why.ends_with('.') ? "" : "."),
            "Give values of the task's symbols: N=512, or B=1,N=128."};
}

std::string symbolList(const Symbols& symbols) {
    std::string list;
    for (const auto& [name, value] : symbols)
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, value);
    return list;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

} // namespace

Result<std::string> addShape(Card& card, std::string_view text) {
    Result<Symbols> full = card.size("full");
    if (!full) return full.error();
    std::vector<bool> given(full->size());
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        const std::size_t equals = part.find('=');
        const std::string_view name = trimmed(part.substr(0, equals));
        const auto at =
            std::find_if(full->begin(), full->end(), [&](const auto& symbol) { return symbol.first == name; });
        if (equals == std::string_view::npos || at == full->end())
            return badShape(text, fmt::format("the task has {}", symbolList(*full)));
        if (given[std::size_t(at - full->begin())]) return badShape(text, fmt::format("{} is given twice", name));
        given[std::size_t(at - full->begin())] = true;
        const std::string_view number = trimmed(part.substr(equals + 1));
        std::int32_t value = 0;
        const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
        if (read.ec != std::errc() || read.ptr != number.data() + number.size() || value < 1)
            return badShape(text, fmt::format("{} is not from 1 to 2147483647", name));
        at->second = value;
    }
    std::string name;
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i]) name += fmt::format("{}{}={}", name.empty() ? "" : ",", (*full)[i].first, (*full)[i].second);
    if (name.empty()) return badShape(text, fmt::format("the task has {}", symbolList(*full)));
    if (const auto possible = costOf(card, *full); !possible) return badShape(text, possible.error().message);
    const bool known =
        std::any_of(card.sizes.begin(), card.sizes.end(), [&](const auto& s) { return s.first == name; });
    if (!known) card.sizes.emplace_back(name, std::move(*full));
    return name;
}

Result<CardSizes> cardSizes(Card card, const std::vector<std::string>& named, const std::vector<std::string>& shapes) {
    CardSizes sizes{std::move(card), {}};
    for (const std::string& name : named) {
        if (const auto known = sizes.card.size(name); !known) return known.error();
        sizes.names.push_back(name);
    }
    for (const std::string& text : shapes) {
        Result<std::string> name = addShape(sizes.card, text);
        if (!name) return name.error();
        sizes.names.push_back(std::move(*name));
    }
    std::set<Symbols> seen;
    for (const std::string& name : sizes.names)
        if (!seen.insert(*sizes.card.size(name)).second)
            return Error{"bad_usage", fmt::format("The size {} is given twice.", name), "Name each size once."};
    return sizes;
}

} // namespace kernelarium::task
