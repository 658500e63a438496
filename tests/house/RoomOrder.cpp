// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/house/RoomOrder.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <sstream>

namespace kernelarium::house {

namespace {

std::string folderOf(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

std::string unitOf(const std::string& path) {
    return path.substr(0, path.rfind('.'));
}

bool isOurs(const std::string& path) {
    for (const char* top : {"app/", "ui/", "core/", "gpu/"})
        if (path.starts_with(top)) return path.ends_with(".h") || path.ends_with(".cpp");
    return false;
}

/// Adds an edge for each include of ours, between what `nameOf` makes of the two paths.
Graph graphOf(const Sources& sources, const std::function<std::string(const std::string&)>& nameOf) {
    Graph graph;
    for (const auto& [path, text] : sources) {
        if (!isOurs(path)) continue;
        std::set<std::string>& needed = graph[nameOf(path)];
        for (const Include& include : includesOf(text))
            if (include.quoted && isOurs(include.target) && nameOf(include.target) != nameOf(path))
                needed.insert(nameOf(include.target));
    }
    return graph;
}

/// Tarjan's algorithm.
class Components {
public:
    explicit Components(const Graph& graph)
        : m_graph(graph) {
        for (const auto& [name, needed] : graph)
            if (!m_index.contains(name)) visit(name);
    }
    std::vector<std::vector<std::string>> found;

private:
    void visit(const std::string& name) {
        const std::size_t index = m_index.size();
        m_index[name] = m_lowest[name] = index;
        m_stack.push_back(name);
        m_onStack.insert(name);
        if (const auto at = m_graph.find(name); at != m_graph.end())
            for (const std::string& next : at->second) {
                if (!m_index.contains(next)) visit(next);
                if (m_onStack.contains(next)) m_lowest[name] = std::min(m_lowest[name], m_lowest[next]);
            }
        if (m_lowest[name] == index) take(name);
    }

    void take(const std::string& root) {
        std::vector<std::string> component;
        do {
            component.push_back(m_stack.back());
            m_onStack.erase(m_stack.back());
            m_stack.pop_back();
        } while (component.back() != root);
        if (component.size() < 2) return;
        std::sort(component.begin(), component.end());
        found.push_back(std::move(component));
    }

    const Graph& m_graph;
    std::map<std::string, std::size_t> m_index, m_lowest;
    std::vector<std::string> m_stack;
    std::set<std::string> m_onStack;
};

} // namespace

std::vector<Violation> checkOrder(const std::string& path, std::string_view text) {
    if (!isOurs(path)) return {};
    static const std::map<std::string, std::size_t> floors = [] {
        std::map<std::string, std::size_t> all;
        for (const std::string& room : roomOrder())
            all.emplace(room, all.size());
        return all;
    }();
    const auto from = floors.find(folderOf(path));
    if (from == floors.end()) return {{path, 0, "folder without a place", "add it to tests/house/RoomList.cpp"}};
    std::vector<Violation> found;
    for (const Include& include : includesOf(text)) {
        if (!include.quoted || !isOurs(include.target)) continue;
        const auto to = floors.find(folderOf(include.target));
        if (to != floors.end() && to->second > from->second)
            found.push_back({path, include.line, "include from a higher room", include.target});
    }
    return found;
}

Graph folderGraph(const Sources& sources) {
    return graphOf(sources, folderOf);
}

Graph unitGraph(const Sources& sources) {
    return graphOf(sources, unitOf);
}

std::vector<std::vector<std::string>> cyclesOf(const Graph& graph) {
    return Components(graph).found;
}

std::map<std::string, std::set<std::string>> unitsByFolder(const Sources& sources) {
    std::map<std::string, std::set<std::string>> units;
    for (const auto& [path, text] : sources)
        if (isOurs(path)) units[folderOf(path)].insert(unitOf(path));
    return units;
}

std::set<std::string> roomsListedIn(std::string_view markdown) {
    static const std::regex row(R"(^\| `((?:app|ui|core|gpu)/\w+)` \|)");
    std::set<std::string> rooms;
    std::istringstream lines{std::string(markdown)};
    for (std::string line; std::getline(lines, line);)
        if (std::smatch match; std::regex_search(line, match, row)) rooms.insert(match[1]);
    return rooms;
}

} // namespace kernelarium::house
