// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/FusedLevels.h"

#include "core/kernelgen/file/FormulaLevels.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// How many reductions of the group stand one after another before this one: those that it needs do.
std::size_t levelOf(const Graph& graph, const RowGroup& group, TensorId id) {
    const auto needs = [&](auto&& self, TensorId a, TensorId b) -> bool {
        for (const TensorId s : algebra::sourcesOf(graph.tensors[a]))
            if (s == b || (graph.tensors[s].definition() && self(self, s, b))) return true;
        return false;
    };
    std::size_t level = 0;
    for (const TensorId other : group.reductions)
        if (other < id && needs(needs, id, other)) level = std::max(level, levelOf(graph, group, other) + 1);
    return level;
}

class RowLevels {
public:
    RowLevels(KernelFile& file, const Plan& plan)
        : m_file(file)
        , m_plan(plan)
        , m_group(*plan.rows)
        , m_shown(file.shown())
        , m_length(double(m_group.length[file.graphs().shown])) {
        for (const TensorId id : m_group.reductions) {
            const std::size_t level = levelOf(m_shown, m_group, id);
            if (m_levels.size() <= level) m_levels.resize(level + 1);
            m_levels[level].push_back(id);
        }
        m_rows = double(algebra::pointCount(m_shown.tensors[m_group.reductions[0]].extents));
    }

    void whole(std::size_t first) {
        FormulaLevels levels = begin(first);
        const auto& block = levels.launch().block;
        const std::string rows = block[1].value > 1 ? fmt::format("{} rows", block[1].value) : "one row";
        levels.describe(namesOf(all()), "Reductions over the same rows, and the maps that need nothing else.", rows,
                        "four neighbours of a row at a time, then those rowThreads * 4 further on");
        for (std::size_t level = 0; level < m_levels.size(); ++level)
            reduce(levels, level, block[0].value, int(block[1].value), 1);
        maps(levels, block[0].value, int(block[1].value), 1);
        levels.finish();
    }

    void split(std::size_t first) {
        for (std::size_t level = 0; level <= m_levels.size(); ++level) {
            if (first + level >= m_file.levels().launches.size()) return;
            FormulaLevels levels = begin(first + level);
            const std::int64_t threads = levels.launch().block[0].value, parts = levels.launch().grid[0].value;
            const bool isLast = level == m_levels.size();
            levels.describe(namesOf(isLast ? m_group.maps : m_levels[level]),
                            isLast ? "What is left of the rows, from what the blocks of each row left."
                                   : "Parts of the rows; the next launch puts them together.",
                            fmt::format("one of {} parts of a row", parts), "four neighbours at a time");
            if (level > 0)
                levels.counters().addTraffic(m_rows * double(parts * parts), 4, false, m_rows * double(parts));
            if (isLast)
                maps(levels, threads, 1, double(parts));
            else
                reduce(levels, level, threads, 1, double(parts));
            levels.finish();
        }
    }

private:
    /// The description of launch number `at`: FormulaLevels speaks of the last one.
    FormulaLevels begin(std::size_t at) {
        return {m_file, m_file.graphs().each(), m_plan.inlined, [this](TensorId id) { return m_file.tensorNode(id); },
                at};
    }
    [[nodiscard]] std::vector<TensorId> all() const {
        std::vector<TensorId> ids = m_group.reductions;
        ids.insert(ids.end(), m_group.maps.begin(), m_group.maps.end());
        return ids;
    }
    [[nodiscard]] std::string namesOf(const std::vector<TensorId>& ids) const {
        std::string text;
        for (const TensorId id : ids)
            text += (text.empty() ? "" : ", ") + m_shown.tensors[id].name;
        return text.empty() ? "rows" : text;
    }
    std::string rowLoop(FormulaLevels& levels, std::int64_t threads, double parts, const std::string& detail) {
        const double step = 4.0 * double(threads);
        const auto count = std::int64_t((m_length / parts + step - 1) / step);
        return levels.addLoop("k", detail,
                              {parts > 1 ? "(end - begin + 4 * rowThreads - 1) / (4 * rowThreads)"
                                         : "(length + 4 * rowThreads - 1) / (4 * rowThreads)",
                               std::max<std::int64_t>(1, count)});
    }

    void reduce(FormulaLevels& levels, std::size_t level, std::int64_t threads, int rows, double parts) {
        const std::string loop = rowLoop(levels, threads, parts, "over a row, to reduce it");
        for (const TensorId id : m_levels[level]) {
            Walk walk{Walk::Lanes::terms, 4, rows, m_group.stored.contains(id) && parts <= 1, level > 0 && parts <= 1};
            walk.parts = parts;
            levels.add(id, walk, loop);
            if (parts > 1) levels.counters().addTraffic(m_rows * parts, 4, true);
            if (threads > 32) {
                const std::string tile = levels.addTile({{},
                                                         "parts of " + m_shown.tensors[id].name,
                                                         "one of each warp, added up by every thread",
                                                         Place::shared,
                                                         m_shown.tensors[id].name,
                                                         "float32",
                                                         {{"rowThreads / 32", threads / 32}}});
                levels.addEdge(levels.valueNode(id), tile);
                levels.counters().addBlockSteps(2);
            }
        }
    }
    void maps(FormulaLevels& levels, std::int64_t threads, int rows, double parts) {
        std::string loop;
        for (const TensorId id : m_group.maps) {
            const bool isRow = double(algebra::pointCount(m_shown.tensors[id].extents)) <= m_rows && m_length > 1;
            if (!isRow && loop.empty()) loop = rowLoop(levels, threads, parts, "over a row again, to write it");
            Walk walk{Walk::Lanes::elements, isRow ? 1 : 4, rows, true, !isRow && parts <= 1};
            levels.add(id, walk, isRow ? std::string() : loop);
        }
    }

    KernelFile& m_file;
    const Plan& m_plan;
    const RowGroup& m_group;
    const Graph& m_shown;
    double m_length = 1, m_rows = 1;
    std::vector<std::vector<TensorId>> m_levels;
};

} // namespace

void describeRows(KernelFile& file, const Plan& plan, std::size_t first) {
    if (plan.rows->split)
        RowLevels(file, plan).split(first);
    else
        RowLevels(file, plan).whole(first);
}

void describeFourMap(KernelFile& file, const Plan& plan, std::size_t id) {
    FormulaLevels levels(file, file.graphs().each(), plan.inlined, [&file](TensorId k) { return file.tensorNode(k); });
    const Tensor& t = file.shown().tensors[id];
    levels.describe(t.name, algebra::toString(file.shown(), id),
                    fmt::format("{} neighbouring elements of {}", 4 * levels.launch().block[0].value, t.name),
                    "four neighbouring elements");
    levels.add(id, {Walk::Lanes::elements, 4}, {});
    levels.finish();
}

} // namespace kernelarium::kernelgen
