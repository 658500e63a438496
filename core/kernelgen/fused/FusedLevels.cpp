// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/FusedLevels.h"

#include "core/kernelgen/file/FormulaLevels.h"
#include "core/kernelgen/fused/RowStages.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Which tensors depend on this one. Not by recursion: residual networks have very many ways.
std::vector<bool> dependentsOf(const Graph& graph, TensorId id) {
    std::vector<bool> depends(graph.tensors.size(), false);
    for (TensorId t = id + 1; t < graph.tensors.size(); ++t)
        for (const TensorId s : algebra::sourcesOf(graph.tensors[t]))
            if (s == id || depends[s]) depends[t] = true;
    return depends;
}

/// Reductions by how many of the group stand one after another before them: those that they need do.
std::vector<std::vector<TensorId>> levelsOf(const Graph& graph, const std::vector<TensorId>& reductions) {
    std::vector<std::size_t> level(reductions.size(), 0);
    std::vector<std::vector<TensorId>> out;
    for (std::size_t k = 0; k < reductions.size(); ++k) {
        if (out.size() <= level[k]) out.resize(level[k] + 1);
        out[level[k]].push_back(reductions[k]);
        const std::vector<bool> depends = dependentsOf(graph, reductions[k]);
        for (std::size_t later = k + 1; later < reductions.size(); ++later)
            if (depends[reductions[later]]) level[later] = std::max(level[later], level[k] + 1);
    }
    return out;
}

class RowLevels {
public:
    RowLevels(KernelFile& file, const std::set<std::size_t>& inlined, const GroupWork& group)
        : m_file(file)
        , m_inlined(inlined)
        , m_group(group)
        , m_shown(file.shown())
        , m_length(double(group.length))
        , m_levels(group.passes.empty() ? levelsOf(m_shown, group.reductions) : group.passes) {
        m_rows = double(algebra::pointCount(m_shown.tensors[m_group.reductions[0]].extents));
    }

    void whole(std::size_t first) {
        FormulaLevels levels = begin(first);
        const auto& block = levels.launch().block;
        const std::string rows = block[1].value > 1 ? fmt::format("{} rows", block[1].value) : "one row";
        levels.describe(namesOf(all()), "Reductions over the same rows, and the maps that need nothing else.", rows,
                        "neighbours of a row at a time, then those further on");
        for (std::size_t level = 0; level < m_levels.size(); ++level)
            keepRows(levels, level), reduce(levels, level, block[0].value, int(block[1].value), 1);
        keepRows(levels, m_levels.size());
        maps(levels, block[0].value, int(block[1].value), 1);
        levels.finish();
    }

    void split(std::size_t first, std::size_t launches) {
        for (std::size_t n = 0; n < launches; ++n) {
            FormulaLevels levels = begin(first + n);
            const Launch& launch = levels.launch();
            const std::int64_t threads = launch.block[0].value;
            const double blocks = double(launch.grid[0].value) * double(launch.grid[1].value);
            const double parts = std::max(1.0, std::floor(blocks / std::max(1.0, m_rows)));
            const bool isLast = n + 1 == launches;
            levels.describe(namesOf(isLast                ? all()
                                    : n < m_levels.size() ? m_levels[n]
                                                          : m_group.reductions),
                            isLast ? "What is left of the rows, from what the blocks of each row left."
                                   : "Parts of the rows; the next launch puts them together.",
                            fmt::format("one of {:.0f} parts of a row", parts), "neighbours of a row");
            for (std::size_t level = 0; level < n && level < m_levels.size(); ++level)
                for (const TensorId id : m_levels[level])
                    levels.addTogether(id, partsNode(id, parts),
                                       isLast && m_group.stored.contains(id) ? m_file.tensorNode(id) : std::string());
            if (n > 0) levels.counters().addTraffic(m_rows * parts * parts, 4, false, m_rows * parts);
            for (std::size_t level = n; level < m_levels.size() && (level == n || isLast); ++level)
                reduce(levels, level, threads, 1, parts);
            if (isLast) maps(levels, threads, 1, parts);
            levels.finish();
        }
    }

private:
    /// The description of launch number `at`: FormulaLevels speaks of the last one.
    FormulaLevels begin(std::size_t at) {
        return {m_file, m_file.graphs().each(), m_inlined, [this](TensorId id) { return m_file.tensorNode(id); }, at};
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
    /// What the blocks of a row leave of a reduction.
    std::string partsNode(TensorId id, double parts) {
        const std::string node = fmt::format("t{}p", id), name = m_shown.tensors[id].name;
        if (!m_file.levels().tensor(node))
            m_file.levels().tensors.push_back({node,
                                               name + " in parts",
                                               "left by the blocks of each row for a later launch",
                                               Place::device,
                                               name,
                                               "float32",
                                               {{"rows", std::int64_t(m_rows)}, {"parts", std::int64_t(parts)}}});
        return node;
    }
    /// From the second pass on, what has the rows' elements need not be loaded where the row stays in registers.
    void keepRows(FormulaLevels& levels, std::size_t pass) const {
        if (!m_group.keepsRows || pass == 0) return;
        for (TensorId id = 0; id < m_shown.tensors.size(); ++id)
            if (double(algebra::pointCount(m_shown.tensors[id].extents)) == m_rows * m_length)
                levels.counters().keep(id);
    }
    std::string rowLoop(FormulaLevels& levels, std::int64_t threads, double parts, const std::string& detail) {
        const double step = 4.0 * double(threads);
        const auto count = std::int64_t((m_length / parts + step - 1) / step);
        return levels.addLoop("k", detail,
                              {fmt::format("a {} of {} elements, {} at a time", parts > 1 ? "part" : "row",
                                           std::int64_t(m_length / parts), std::int64_t(step)),
                               std::max<std::int64_t>(1, count)});
    }

    void reduce(FormulaLevels& levels, std::size_t level, std::int64_t threads, int rows, double parts) {
        const std::string loop = rowLoop(levels, threads, parts, "over a row, to reduce it");
        for (const TensorId id : m_levels[level]) {
            Walk walk{m_group.lanes, 4, rows, m_group.stored.contains(id) && parts <= 1, level > 0 && parts <= 1};
            if (m_group.lanes != Walk::Lanes::terms) walk.vector = 1;
            walk.parts = parts;
            levels.add(id, walk, loop);
            if (parts > 1) {
                levels.counters().addTraffic(m_rows * parts, 4, true);
                levels.addEdge(levels.valueNode(id), partsNode(id, parts));
            }
            if (threads > 32) {
                const std::string tile = levels.addTile({{},
                                                         "parts of " + m_shown.tensors[id].name,
                                                         "one of each warp, added up by every thread",
                                                         Place::shared,
                                                         m_shown.tensors[id].name,
                                                         "float32",
                                                         {{std::to_string(threads / 32), threads / 32}}});
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
            Walk walk{Walk::Lanes::elements, isRow ? 1 : 4, rows, true, !isRow && !m_levels.empty()};
            levels.add(id, walk, isRow ? std::string() : loop);
        }
    }

    KernelFile& m_file;
    const std::set<std::size_t>& m_inlined;
    const GroupWork& m_group;
    const Graph& m_shown;
    double m_length = 1, m_rows = 1;
    std::vector<std::vector<TensorId>> m_levels;
};

} // namespace

void describeGroup(KernelFile& file, const std::set<std::size_t>& inlined, const GroupWork& group, std::size_t first) {
    const std::size_t launches = file.levels().launches.size() - first;
    if (launches == 1)
        RowLevels(file, inlined, group).whole(first);
    else
        RowLevels(file, inlined, group).split(first, launches);
}

void describeRows(KernelFile& file, const Plan& plan, std::size_t number, std::size_t first) {
    const RowGroup& g = plan.groups[number];
    GroupWork group{g.reductions, g.maps, {}, g.stored};
    group.length = g.layout.length[file.graphs().shown];
    group.reductions.insert(group.reductions.end(), g.totals.begin(), g.totals.end());
    group.keepsRows = !g.split;
    if (g.layout.kind == RowLayout::Kind::columns) group.lanes = Walk::Lanes::elements;
    if (g.split)
        for (const RowStage& stage : rowStages(file.graphs().each(), file.full(), g))
            group.passes.push_back(stage.all());
    describeGroup(file, plan.inlined, group, first);
}

void describeScan(KernelFile& file, std::size_t scan, std::size_t result, const std::set<std::size_t>& reads) {
    const Graph& shown = file.shown();
    const Tensor& t = shown.tensors[result];
    FormulaLevels levels(file, file.graphs().each(), {}, [&file](TensorId k) { return file.tensorNode(k); });
    const auto axis = std::size_t(algebra::scanAxis(shown.tensors[scan]));
    levels.describe(t.name, algebra::toString(shown, scan), fmt::format("one row of {}", t.name),
                    "four neighbours of the row at a time");
    const std::string loop =
        levels.addLoop("chunk", "along the row; what is carried to the next chunk is the sum of those before",
                       file.amount(extentOf(file.tensor(scan), axis)));
    const std::int64_t threads = levels.launch().block[0].value;
    const std::string tile = levels.addTile({{},
                                             "prefixes of warps",
                                             "of the block's warps, put together by every thread",
                                             Place::shared,
                                             t.name,
                                             "float32",
                                             {{std::to_string(threads / 32), threads / 32}}});
    const std::string prefixes = levels.launch().id + ".scan";
    levels.launch().operators.push_back({prefixes, shown.tensors[scan].name,
                                         "prefixes of a thread's own, of its warp by shuffles, of the block", loop,
                                         algebra::toString(shown, scan)});
    levels.addEdge(prefixes, tile);
    levels.addEdge(tile, prefixes);
    const double elements = double(algebra::pointCount(t.extents));
    for (const std::size_t id : reads) {
        levels.addEdge(file.tensorNode(id), prefixes);
        levels.counters().addTraffic(elements, double(tensor::byteSize(shown.tensors[id].dtype)), false);
    }
    levels.addEdge(prefixes, file.tensorNode(result));
    levels.counters().addTraffic(elements, double(tensor::byteSize(t.dtype)), true);
    // A thread's own, and five steps of shuffles in a warp for every four.
    levels.counters().addInstructions(2.25 * elements, 2.25 * elements, 6 * elements / 32);
    levels.counters().addBlockSteps(2);
    levels.finish();
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
