// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values, RFC 4180, but for cells over several lines, which are written and not read.
namespace kernelarium::text {

/// The cells of a line: quotation marks around a cell taken off, one doubled inside is one. A carriage return is no
/// part of a cell. Never fails: a cell whose quotation mark is not closed goes to the line's end.
[[nodiscard]] std::vector<std::string> csvCells(std::string_view line);

/// A cell as it is written: quoted where it has a comma, a quotation mark or a line's end in it.
[[nodiscard]] std::string csvCell(std::string_view value);

} // namespace kernelarium::text
