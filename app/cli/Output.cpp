// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {
namespace {

/// How many terminal cells a UTF-8 text takes, one for each character.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

void printJson(const nlohmann::json& document) {
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (const auto& column : m_columns)
        widths.push_back(width(column.title));
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));

    std::string out;
    const auto line = [&](auto&& cellAt) {
        std::string written;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string& value = cellAt(i);
            const std::string padding(widths[i] - width(value), ' ');
            if (i > 0) written += "  ";
            written += m_columns[i].align == Align::right ? padding + value : value + padding;
        }
        written.erase(written.find_last_not_of(' ') + 1);
        out += written + "\n";
    };
    line([&](std::size_t i) -> const std::string& { return m_columns[i].title; });
    for (const auto& row : m_rows)
        line([&](std::size_t i) -> const std::string& { return row[i]; });
    return out;
}

std::string cell(std::optional<double> value, int digits) {
    return value && !std::isnan(*value) ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string shareCell(double share) {
    return std::isnan(share) ? "-" : quantities::percent(share);
}

std::string printable(std::string_view text) {
    std::string clean(text);
    for (char& c : clean) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 32 && c != '\n' && c != '\t') || byte == 127) c = '?';
    }
    return clean;
}

} // namespace kernelarium::cli
