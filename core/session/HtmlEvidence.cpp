// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlEvidence.h"

#include "core/quantities/Quantities.h"
#include "core/session/HtmlText.h"
#include "core/text/Html.h"
#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace kernelarium::session {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> shapes{{{"verified", "\xe2\x9c\x93"},
                                                                               {"wrong", "\xe2\x9c\x97"},
                                                                               {"suspicious", "\xe2\x96\xb2"},
                                                                               {"unverifiable", "?"},
                                                                               {"compile_error", "\xe2\x96\xa0"},
                                                                               {"launch_error", "\xe2\x96\xa1"},
                                                                               {"unsupported", "\xe2\x97\x87"},
                                                                               {"fault", "!"},
                                                                               {"timeout", "\xe2\x80\xa6"}}};
constexpr std::size_t mostFaults = 5;

/// ["library_calls", "values"] as a person reads it.
std::string words(const json& names) {
    std::string text;
    for (const auto& name : names) {
        if (!text.empty()) text += ", ";
        text += name.get<std::string>();
    }
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string textOf(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return {};
    if (found->is_string()) return found->get<std::string>();
    if (found->is_number_float()) return quantities::number(found->get<double>(), 4);
    if (found->is_array() && std::all_of(found->begin(), found->end(), [](const json& e) { return e.is_string(); }))
        return words(*found);
    return found->dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Rows of a two-column table, of those keys that are there.
std::string factRows(const json& verdict) {
    constexpr std::array<std::pair<const char*, const char*>, 9> facts{{{"message", "What happened"},
                                                                        {"max_abs_error", "Largest absolute error"},
                                                                        {"max_rel_error", "Largest relative error"},
                                                                        {"reasons", "Reasons"},
                                                                        {"remarks", "Remarks"},
                                                                        {"reference", "Compared with"},
                                                                        {"backend", "Ran on"},
                                                                        {"size", "Size"},
                                                                        {"seed", "Seed"}}};
    std::string rows;
    for (const auto& [key, title] : facts)
        if (const auto text = textOf(verdict, key); !text.empty() && text != "[]")
            rows += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", title, text::escapedHtml(text));
    return rows;
}

std::string checkRows(const json& verdict) {
    const auto checks = verdict.find("checks");
    std::string rows;
    if (checks == verdict.end() || !checks->is_array()) return rows;
    for (const auto& check : *checks)
        if (check.is_object())
            rows +=
                fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", text::escapedHtml(textOf(check, "name")),
                            text::escapedHtml(textOf(check, "state")), text::escapedHtml(textOf(check, "detail")));
    return rows;
}

std::string faultItems(const json& verdict) {
    const auto faults = verdict.find("faults");
    std::string items;
    if (faults == verdict.end() || !faults->is_array()) return items;
    const auto shown = std::min(faults->size(), mostFaults);
    for (std::size_t i = 0; i < shown; ++i)
        if (const auto& fault = faults->at(i); fault.is_object())
            items += fmt::format("<li>{} <small>line {}</small></li>\n", text::escapedHtml(textOf(fault, "message")),
                                 text::escapedHtml(textOf(fault, "line")));
    if (faults->size() > shown) items += fmt::format("<li>and {} more</li>\n", faults->size() - shown);
    return items;
}

} // namespace

std::string verdictHtml(std::string_view verdict) {
    if (verdict.empty()) return "<span class=\"muted\">not verified</span>";
    const auto* shape =
        std::find_if(shapes.begin(), shapes.end(), [&](const auto& entry) { return entry.first == verdict; });
    if (shape == shapes.end()) return fmt::format("<span class=\"verdict\">{}</span>", text::escapedHtml(verdict));
    std::string word(verdict);
    std::replace(word.begin(), word.end(), '_', ' ');
    return fmt::format("<span class=\"verdict {}\">{} {}</span>", verdict, shape->second, word);
}

std::string evidenceHtml(std::string_view verdictJson) {
    if (verdictJson.empty()) return {};
    const json verdict = text::untrustedJson(verdictJson);
    if (!verdict.is_object()) return "<p class=\"muted\">The kept evidence cannot be read.</p>\n";
    std::string html;
    if (const auto rows = factRows(verdict); !rows.empty()) html += "<table>\n" + rows + "</table>\n";
    if (const auto items = faultItems(verdict); !items.empty()) html += "<h3>Faults</h3>\n<ul>\n" + items + "</ul>\n";
    if (const auto rows = checkRows(verdict); !rows.empty())
        html +=
            "<h3>Checks</h3>\n<table>\n<tr><th>check</th><th>result</th><th>detail</th></tr>\n" + rows + "</table>\n";
    return html;
}

} // namespace kernelarium::session
