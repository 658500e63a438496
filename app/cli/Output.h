// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::cli {

/// Prints the one JSON document of a command; text that is not UTF-8 is repaired, not refused.
void printJson(const nlohmann::json& document);

/// Text left-aligned, numbers right-aligned, columns as wide as their widest cell.
class TextTable {
public:
    enum class Align { left, right };
    struct Column {
        std::string title;
        Align align = Align::left;
    };
    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// A number for a table, or "-" when it is missing (empty or NaN).
std::string cell(std::optional<double> value, int digits);
/// A share for a table, 1 being the whole, or "-" for NaN.
std::string shareCell(double share);
/// Text as it may be put on a terminal: control characters other than line ends and tabs become '?'.
std::string printable(std::string_view text);

} // namespace kernelarium::cli
