// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/house/HouseRules.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::house {

/// Every folder of app, ui, core and gpu that holds sources, the lowest first: a file includes from its own folder and
/// from those before it.
[[nodiscard]] const std::vector<std::string>& roomOrder();

/// Includes that go up in roomOrder(), and folders that it does not know.
[[nodiscard]] std::vector<Violation> checkOrder(const std::string& path, std::string_view text);

/// Names and what each of them needs.
using Graph = std::map<std::string, std::set<std::string>>;

/// Source texts by path relative to the repository.
using Sources = std::map<std::string, std::string>;

/// Which folder includes from which, and which unit (a header with its source, the path without the ending) includes
/// which, over app, ui, core and gpu.
[[nodiscard]] Graph folderGraph(const Sources& sources);
[[nodiscard]] Graph unitGraph(const Sources& sources);

/// Sets of names that all need each other, each in alphabetical order (Tarjan's strongly connected components).
[[nodiscard]] std::vector<std::vector<std::string>> cyclesOf(const Graph& graph);

/// How many units each folder of app, ui, core and gpu holds.
[[nodiscard]] std::map<std::string, std::set<std::string>> unitsByFolder(const Sources& sources);
inline constexpr std::size_t mostUnits = 30;

/// The rooms ("core/archive", without sub-rooms) that a list in Markdown names: lines that begin with "| `core/archive`
/// |".
[[nodiscard]] std::set<std::string> roomsListedIn(std::string_view markdown);

} // namespace kernelarium::house
