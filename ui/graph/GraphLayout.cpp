// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/FrameLayout.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernelarium::ui {

namespace {

constexpr double columnGap = 40;
constexpr double rowGap = 14;
constexpr double wireGap = 8; ///< between an edge that passes a layer and its neighbours
constexpr double margin = 16;
constexpr int mostSweeps = 12;
constexpr int sweepBudget = 12000; ///< slots visited in all sweeps of a kind: keeps large graphs quick
constexpr int mostPlaces = 3000;   ///< of edges passing layers; beyond it, edges over `longWay` layers get none
constexpr int longWay = 6;

/// A node, or a place where an edge passes through a layer.
struct Slot {
    int node = -1;
    double height = 0;
    double y = 0; ///< centre
    std::vector<int> before, after;
};

class Layout {
public:
    explicit Layout(OperatorGraph& graph)
        : m_graph(graph) {}

    void run() {
        assignLayers();
        makeSlots();
        const int sweeps = std::clamp(sweepBudget / int(m_slots.size()), 2, mostSweeps);
        for (int i = 0; i < sweeps; ++i)
            orderBy(i % 2 == 0);
        stack();
        for (int i = 0; i < sweeps; ++i)
            settle(i % 2 == 0);
        placeNodes();
        drawEdges();
    }

private:
    static bool isTensor(const GraphNode& node) {
        return node.kind == GraphNode::Kind::input || node.kind == GraphNode::Kind::parameter;
    }

    /// Edges run from earlier to later operators, so that one pass in the order of the nodes suffices; tensors stand
    /// right before their first use.
    void assignLayers() {
        auto& nodes = m_graph.nodes;
        std::vector<std::vector<int>> into(nodes.size());
        for (const GraphEdge& edge : m_graph.edges)
            into[std::size_t(edge.to)].push_back(edge.from);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (isTensor(nodes[i])) continue;
            nodes[i].layer = 1;
            for (const int from : into[i])
                if (!isTensor(nodes[std::size_t(from)]))
                    nodes[i].layer = std::max(nodes[i].layer, nodes[std::size_t(from)].layer + 1);
        }
        std::vector<int> first(nodes.size(), std::numeric_limits<int>::max());
        for (const GraphEdge& edge : m_graph.edges)
            first[std::size_t(edge.from)] = std::min(first[std::size_t(edge.from)], nodes[std::size_t(edge.to)].layer);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const bool isUsed = first[i] < std::numeric_limits<int>::max();
            if (isTensor(nodes[i])) nodes[i].layer = isUsed ? std::max(0, first[i] - 1) : 0;
            m_layerCount = std::max(m_layerCount, nodes[i].layer + 1);
        }
    }

    int addSlot(int layer, int node, double height) {
        m_slots.push_back({node, height, 0, {}, {}});
        m_layers[std::size_t(layer)].push_back(int(m_slots.size()) - 1);
        return int(m_slots.size()) - 1;
    }

    void join(int from, int to) {
        m_slots[std::size_t(from)].after.push_back(to);
        m_slots[std::size_t(to)].before.push_back(from);
    }

    [[nodiscard]] int span(const GraphEdge& edge) const {
        return m_graph.nodes[std::size_t(edge.to)].layer - m_graph.nodes[std::size_t(edge.from)].layer;
    }

    /// Whether an edge keeps clear of the nodes between; else it passes behind them.
    [[nodiscard]] bool isRouted(const GraphEdge& edge) const { return m_routesAll || span(edge) <= longWay; }

    void makeSlots() {
        int places = 0;
        for (const GraphEdge& edge : m_graph.edges)
            places += span(edge) - 1;
        m_routesAll = places <= mostPlaces;
        m_layers.resize(std::size_t(m_layerCount));
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            addSlot(m_graph.nodes[i].layer, int(i), m_graph.nodes[i].box.height() + rowGap);
        for (const GraphEdge& edge : m_graph.edges) {
            std::vector<int> way{edge.from};
            const int last = m_graph.nodes[std::size_t(edge.to)].layer;
            for (int layer = m_graph.nodes[std::size_t(edge.from)].layer + 1; layer < last && isRouted(edge); ++layer)
                way.push_back(addSlot(layer, -1, wireGap));
            way.push_back(edge.to);
            if (isRouted(edge))
                for (std::size_t i = 1; i < way.size(); ++i)
                    join(way[i - 1], way[i]);
            m_ways.push_back(std::move(way));
        }
    }

    template <class Value> double meanOf(const std::vector<int>& neighbours, double otherwise, Value value) const {
        if (neighbours.empty()) return otherwise;
        double sum = 0;
        for (const int n : neighbours)
            sum += value(n);
        return sum / double(neighbours.size());
    }

    void orderBy(bool forward) {
        std::vector<double> rank(m_slots.size());
        for (const auto& layer : m_layers)
            for (std::size_t i = 0; i < layer.size(); ++i)
                rank[std::size_t(layer[i])] = double(i);
        for (int step = 0; step < m_layerCount; ++step) {
            auto& layer = m_layers[std::size_t(forward ? step : m_layerCount - 1 - step)];
            std::vector<std::pair<double, int>> keyed;
            for (const int slot : layer) {
                const Slot& s = m_slots[std::size_t(slot)];
                keyed.emplace_back(meanOf(forward ? s.before : s.after, rank[std::size_t(slot)],
                                          [&](int n) { return rank[std::size_t(n)]; }),
                                   slot);
            }
            std::stable_sort(keyed.begin(), keyed.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            for (std::size_t i = 0; i < keyed.size(); ++i) {
                layer[i] = keyed[i].second;
                rank[std::size_t(layer[i])] = double(i);
            }
        }
    }

    void stack() {
        for (const auto& layer : m_layers) {
            double y = 0;
            for (const int slot : layer) {
                Slot& s = m_slots[std::size_t(slot)];
                s.y = y + s.height / 2;
                y += s.height;
            }
        }
    }

    /// Draws each layer to its neighbours' heights, least squares under the order and the distances: with the
    /// distances taken off, an isotonic regression by pooling adjacent violators.
    void settle(bool forward) {
        struct Pool {
            double sum = 0;
            double count = 0;
            [[nodiscard]] double mean() const { return sum / count; }
        };
        for (int step = 0; step < m_layerCount; ++step) {
            const auto& layer = m_layers[std::size_t(forward ? step : m_layerCount - 1 - step)];
            std::vector<double> offset;
            std::vector<Pool> pools;
            std::vector<std::size_t> sizes;
            double taken = 0;
            for (const int slot : layer) {
                const Slot& s = m_slots[std::size_t(slot)];
                offset.push_back(taken + s.height / 2);
                taken += s.height;
                const auto height = [&](int n) { return m_slots[std::size_t(n)].y; };
                pools.push_back({meanOf(forward ? s.before : s.after, s.y, height) - offset.back(), 1});
                sizes.push_back(1);
                while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
                    const Pool last = pools.back();
                    const std::size_t size = sizes.back();
                    pools.pop_back();
                    sizes.pop_back();
                    pools.back().sum += last.sum;
                    pools.back().count += last.count;
                    sizes.back() += size;
                }
            }
            std::size_t i = 0;
            for (std::size_t p = 0; p < pools.size(); ++p)
                for (std::size_t k = 0; k < sizes[p]; ++k, ++i)
                    m_slots[std::size_t(layer[i])].y = pools[p].mean() + offset[i];
        }
    }

    void placeNodes() {
        double top = std::numeric_limits<double>::max(), bottom = 0, x = margin;
        for (const Slot& s : m_slots)
            top = std::min(top, s.y - s.height / 2);
        for (Slot& s : m_slots) {
            s.y += margin - top;
            bottom = std::max(bottom, s.y + s.height / 2);
        }
        for (const auto& layer : m_layers) {
            double width = 0;
            for (const int slot : layer)
                if (const int node = m_slots[std::size_t(slot)].node; node >= 0)
                    width = std::max(width, m_graph.nodes[std::size_t(node)].box.width());
            for (const int slot : layer)
                if (const int node = m_slots[std::size_t(slot)].node; node >= 0)
                    m_graph.nodes[std::size_t(node)].box.moveCenter({x + width / 2, m_slots[std::size_t(slot)].y});
            m_columns.emplace_back(x, x + width);
            x += width + columnGap;
        }
        m_graph.size = QSizeF(x - columnGap + margin, bottom + margin);
    }

    void drawEdges() {
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            GraphEdge& edge = m_graph.edges[e];
            const QRectF from = m_graph.nodes[std::size_t(edge.from)].box, to = m_graph.nodes[std::size_t(edge.to)].box;
            QPointF at(from.right(), from.center().y());
            edge.path = QPainterPath(at);
            const auto curveTo = [&](QPointF next) {
                const double half = (next.x() - at.x()) / 2;
                edge.path.cubicTo(at + QPointF(half, 0), next - QPointF(half, 0), next);
                at = next;
            };
            int layer = m_graph.nodes[std::size_t(edge.from)].layer;
            for (std::size_t i = 1; i + 1 < m_ways[e].size(); ++i) {
                const double y = m_slots[std::size_t(m_ways[e][i])].y;
                const auto& column = m_columns[std::size_t(++layer)];
                curveTo({column.first, y});
                edge.path.lineTo(at = {column.second, y});
            }
            curveTo({to.left(), to.center().y()});
        }
    }

    OperatorGraph& m_graph;
    std::vector<Slot> m_slots; ///< the nodes' first, in their order
    std::vector<std::vector<int>> m_layers;
    std::vector<std::vector<int>> m_ways; ///< of each edge, through slots
    std::vector<std::pair<double, double>> m_columns;
    int m_layerCount = 0;
    bool m_routesAll = true;
};

} // namespace

void layOut(OperatorGraph& graph) {
    if (!graph.frames.empty())
        layOutFrames(graph);
    else if (!graph.nodes.empty())
        Layout(graph).run();
}

} // namespace kernelarium::ui
