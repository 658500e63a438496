// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/file/FormulaLevels.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

std::array<std::int64_t, 3> valuesOf(const std::array<Amount, 3>& amounts) {
    return {amounts[0].value, amounts[1].value, amounts[2].value};
}

std::string mapText(const algebra::Read& read, const Tensor& reader) {
    const std::vector<std::string> axes = algebra::axisNames(reader);
    std::string text;
    for (const algebra::Index& i : read.map)
        text += (text.empty() ? "" : ", ") + algebra::toString(i, axes);
    return "[" + text + "]";
}

} // namespace

FormulaLevels::FormulaLevels(KernelFile& file, const Each<Graph>& graph, const std::set<std::size_t>& inlined,
                             NodeOf nodeOf, std::optional<std::size_t> at)
    : m_file(file)
    , m_graph(graph)
    , m_inlined(inlined)
    , m_nodeOf(std::move(nodeOf))
    , m_launch(at.value_or(file.levels().launches.size() - 1))
    , m_counters(shown(), m_inlined, valuesOf(file.levels().launches[m_launch].grid),
                 valuesOf(file.levels().launches[m_launch].block)) {}

std::string FormulaLevels::nextId(const std::string& kind) {
    return fmt::format("l{}.{}{}", m_launch, kind, m_ids++);
}

void FormulaLevels::describe(const std::string& label, const std::string& detail, const std::string& blockDoes,
                             const std::string& threadDoes) {
    launch().label = label;
    launch().detail = detail;
    launch().blockDoes = blockDoes;
    launch().threadDoes = threadDoes;
}

std::string FormulaLevels::addLoop(const std::string& label, const std::string& detail, const Amount& count,
                                   const std::string& parent) {
    launch().loops.push_back({nextId("loop"), label, detail, parent, count});
    return launch().loops.back().id;
}

std::string FormulaLevels::addReductionLoops(TensorId id) {
    const Each<Tensor> t = m_graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    const std::vector<std::string> axes = algebra::axisNames(t.first());
    const std::size_t rank = t.first().extents.size();
    std::string inner;
    for (std::size_t r = 0; r < t.first().definition()->reduction.size(); ++r) {
        const Amount count = m_file.amount(t.values([r](const Tensor& x) { return x.definition()->reduction[r]; }));
        if (count.formula == "1") continue;
        inner = addLoop(axes[rank + r], fmt::format("each thread walks through {}", axes[rank + r]), count, inner);
    }
    return inner;
}

std::string FormulaLevels::addTile(Tile tile) {
    tile.id = nextId("tile");
    launch().tiles.push_back(std::move(tile));
    return launch().tiles.back().id;
}

void FormulaLevels::addEdge(const std::string& from, const std::string& to, const std::string& map,
                            const std::string& detail) {
    launch().edges.push_back({from, to, map, detail});
}

std::string FormulaLevels::valueNode(TensorId id) const {
    const auto it = m_values.find(id);
    return it == m_values.end() ? std::string() : it->second;
}

std::string FormulaLevels::accessWords(const Tensor& reader, const algebra::Read& read, const Walk& walk) const {
    const bool along = walk.lanes == Walk::Lanes::terms;
    const algebra::Extents space = algebra::spaceOf(reader);
    const std::size_t rank = reader.extents.size();
    std::size_t axis = along ? space.size() : rank; // the one that differs between neighbouring threads
    for (std::size_t a = along ? rank : 0; a < (along ? space.size() : rank); ++a)
        if (space[a] > 1 && int(a) != (walk.lanes == Walk::Lanes::rows ? algebra::scanAxis(reader) : -1)) axis = a;
    if (axis >= space.size() || (!along && axis >= rank)) return {};
    const algebra::Extents& source = shown().tensors[read.source].extents;
    std::int64_t stride = 0, row = 1;
    for (std::size_t k = source.size(); k-- > 0; row *= source[k])
        for (const algebra::Term& t : read.map[k].terms)
            if (std::size_t(t.axis) == axis) {
                if (!t.isPlain() || read.map[k].divisor != 1) return "neighbouring threads read by a quotient or rest";
                stride += t.factor * row;
            }
    if (stride == 0) return "neighbouring threads read the same element";
    if (stride == 1 || stride == -1) return "neighbouring threads read neighbouring elements";
    return fmt::format("neighbouring threads read {} elements apart", stride < 0 ? -stride : stride);
}

std::string FormulaLevels::addOperator(TensorId id, const Walk& walk, const std::string& loop) {
    if (const auto it = m_operators.find({id, loop}); it != m_operators.end()) return it->second;
    const Tensor& t = shown().tensors[id];
    const Definition& d = *t.definition();
    std::vector<Edge> edges;
    for (const algebra::Read& r : d.reads) {
        const std::string map = mapText(r, t);
        if (const std::string value = valueNode(r.source); !value.empty())
            edges.push_back({value, {}, map, "from registers"});
        else if (m_inlined.contains(r.source) && shown().tensors[r.source].definition()) {
            Walk inner = walk;
            inner.lanes = Walk::Lanes::elements;
            edges.push_back({addOperator(r.source, inner, loop), {}, map, "computed where it is read"});
        } else
            edges.push_back({m_nodeOf(r.source), {}, map, accessWords(t, r, walk)});
    }
    const std::string node = nextId("op");
    const std::string combine = d.combine == Combine::none ? "" : std::string(algebra::name(d.combine)) + " of ";
    launch().operators.push_back(
        {node, t.name, combine + std::string(algebra::name(algebra::formOf(t))), loop, algebra::toString(shown(), id)});
    for (Edge& e : edges) {
        e.to = node;
        launch().edges.push_back(std::move(e));
    }
    return m_operators[{id, loop}] = node;
}

void FormulaLevels::add(TensorId id, const Walk& walk, const std::string& loop) {
    const Tensor& t = shown().tensors[id];
    const std::string node = addOperator(id, walk, loop);
    Tile value{{},
               t.name,
               walk.lanes == Walk::Lanes::terms ? "a part in each thread, then one for all" : "one for each thread",
               Place::registers,
               t.name,
               std::string(tensor::name(t.dtype)),
               {{std::to_string(walk.vector), walk.vector}}};
    if (walk.vector > 1) value.detail = "neighbours, loaded and stored together";
    const bool isSum = t.definition()->combine != Combine::none;
    if (isSum) value.extents = {{"1", 1}};
    const std::string tile = addTile(std::move(value));
    m_values[id] = tile;
    addEdge(node, tile);
    if (walk.stores) addEdge(tile, m_nodeOf(id), {}, {});
    m_counters.add(id, walk);
    if (isSum) m_counters.keep(id);
}

void FormulaLevels::addTogether(TensorId id, const std::string& from, const std::string& to) {
    const Tensor& t = shown().tensors[id];
    const std::string combine(algebra::name(t.definition()->combine));
    const std::string node = nextId("op");
    launch().operators.push_back(
        {node, t.name, "put together from parts", {}, fmt::format("{} = {} of its parts", t.name, combine)});
    addEdge(from, node);
    if (!to.empty()) addEdge(node, to);
    m_values[id] = node;
    m_counters.keep(id);
}

void FormulaLevels::finish() {
    const std::string kernel = launch().kernel;
    launch().counters = m_counters.finish();
    launch().counters.kernel = kernel;
}

} // namespace kernelarium::kernelgen
