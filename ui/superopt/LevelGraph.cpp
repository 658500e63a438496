// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/LevelGraph.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <QHash>

namespace kernelarium::ui {

namespace {

using kernelgen::Amount;
using kernelgen::Launch;

constexpr std::size_t mostOpenLaunches = 40; ///< drawn with what is in them
constexpr std::size_t mostLaunches = 200;    ///< drawn at all

QString wordsOf(const std::string& text) {
    return QString::fromStdString(text);
}

QString placeText(kernelgen::Place place) {
    const std::string_view word = kernelgen::name(place);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

/// "4 × 16".
template <class Amounts> QString valuesText(const Amounts& amounts) {
    QStringList values;
    for (const Amount& amount : amounts)
        values << wholeText(amount.value);
    return values.join(QStringLiteral(" × "));
}
/// Without ones at the end: "128 × 4".
QString gridText(const std::array<Amount, 3>& amounts) {
    std::vector<Amount> used(amounts.begin(), amounts.end());
    while (used.size() > 1 && used.back().value == 1)
        used.pop_back();
    return valuesText(used);
}
QString timesText(const Amount& count) {
    return count.value == 1 ? Words::tr("once") : Words::tr("%1 times").arg(wholeText(count.value));
}
QString formulasText(const std::vector<Amount>& amounts) {
    QStringList texts;
    for (const Amount& amount : amounts)
        texts << wordsOf(amount.formula);
    return texts.join(QStringLiteral(" × "));
}

class Drawing {
public:
    explicit Drawing(const kernelgen::Levels& levels)
        : m_levels(levels) {}

    OperatorGraph make() {
        if (m_levels.launches.size() > mostLaunches) return {};
        const bool open = m_levels.launches.size() <= mostOpenLaunches;
        if (!open)
            m_all = addFrame(Words::tr("%1 launches").arg(wholeText(std::int64_t(m_levels.launches.size()))),
                             {Words::tr("Launches"), {}, Words::tr("So many that each is one box.")}, -1);
        for (const kernelgen::Tile& tensor : m_levels.tensors)
            addTile(tensor, m_all);
        for (const Launch& launch : m_levels.launches)
            open ? addLaunch(launch) : addClosed(launch);
        return std::move(m_graph);
    }

private:
    int addNode(GraphNode node, const std::string& id, int frame) {
        node.id = wordsOf(id);
        node.frame = frame;
        m_graph.nodes.push_back(std::move(node));
        return m_nodes[wordsOf(id)] = int(m_graph.nodes.size()) - 1;
    }

    void addTile(const kernelgen::Tile& tile, int frame) {
        GraphNode node;
        node.kind = tile.place == kernelgen::Place::device ? GraphNode::Kind::input : GraphNode::Kind::tile;
        node.title = wordsOf(tile.label);
        const QString values = valuesText(tile.extents);
        node.shape = tile.place == kernelgen::Place::device
                         ? values
                         : QStringList{values, placeText(tile.place)}.join(values.isEmpty() ? QString()
                                                                                            : QStringLiteral(" in "));
        node.record.title = node.title;
        node.record.rows.append({Words::tr("Place"), placeText(tile.place)});
        if (!tile.tensor.empty()) node.record.rows.append({Words::tr("Values of"), wordsOf(tile.tensor)});
        if (!tile.extents.empty()) {
            node.record.rows.append({Words::tr("Tile"), valuesText(tile.extents)});
            if (const QString formulas = formulasText(tile.extents); formulas != values)
                node.record.rows.append({Words::tr("In the text"), formulas});
        }
        node.record.rows.append({Words::tr("Type"), wordsOf(tile.type)});
        node.record.explanation = wordsOf(tile.detail);
        addNode(std::move(node), tile.id, frame);
    }

    [[nodiscard]] static Record recordOf(const Launch& launch) {
        Record record{wordsOf(launch.kernel), {}, wordsOf(launch.detail)};
        const auto add = [&](const QString& what, const QString& value) {
            if (!value.isEmpty()) record.rows.append({what, value});
        };
        add(Words::tr("Grid"), Words::tr("%1 blocks: %2").arg(gridText(launch.grid), wordsOf(launch.gridText)));
        add(Words::tr("Block"), Words::tr("%1 threads: %2").arg(gridText(launch.block), wordsOf(launch.blockText)));
        if (launch.times.value != 1) add(Words::tr("Launches"), wholeText(launch.times.value));
        add(Words::tr("A block"), wordsOf(launch.blockDoes));
        add(Words::tr("A thread"), wordsOf(launch.threadDoes));
        return record;
    }

    [[nodiscard]] static QString titleOf(const Launch& launch) {
        const QString grid = Words::tr("%1: grid %2, block %3")
                                 .arg(wordsOf(launch.label), gridText(launch.grid), gridText(launch.block));
        return launch.times.value == 1 ? grid : Words::tr("%1, %2").arg(grid, timesText(launch.times));
    }

    int addFrame(QString title, Record record, int parent) {
        GraphFrame frame;
        frame.title = std::move(title);
        frame.record = std::move(record);
        frame.parent = parent;
        frame.isStrong = parent < 0;
        m_graph.frames.push_back(std::move(frame));
        return int(m_graph.frames.size()) - 1;
    }

    void addLaunch(const Launch& launch) {
        const int frame = addFrame(titleOf(launch), recordOf(launch), -1);
        QHash<QString, int> frames{{QString(), frame}};
        addLoops(launch, frames);
        QHash<QString, int> frameOf; // of operators
        for (const kernelgen::Operator& op : launch.operators)
            frameOf[wordsOf(op.id)] = frames.value(wordsOf(op.loop), frame);
        for (const kernelgen::Tile& tile : launch.tiles)
            addTile(tile, frameOfTile(tile, launch, frameOf, frame));
        for (const kernelgen::Operator& op : launch.operators) {
            GraphNode node;
            node.title = wordsOf(op.label);
            node.record = {node.title, {}, wordsOf(op.detail)};
            node.record.rows.append({Words::tr("Formula"), wordsOf(op.formula)});
            addNode(std::move(node), op.id, frameOf[wordsOf(op.id)]);
        }
        for (const kernelgen::Edge& edge : launch.edges)
            addEdge(edge);
    }

    /// A frame for each loop; one for several that have nothing but one another directly in them.
    void addLoops(const Launch& launch, QHash<QString, int>& frames) {
        QHash<QString, int> inside; // loops and operators directly in a loop
        for (const kernelgen::Loop& loop : launch.loops)
            ++inside[wordsOf(loop.parent)];
        for (const kernelgen::Operator& op : launch.operators)
            ++inside[wordsOf(op.loop)];
        struct Nest {
            QStringList labels, counts;
            bool isOnce = true;
        };
        QHash<int, Nest> nests;
        for (const kernelgen::Loop& loop : launch.loops) {
            const QString parent = wordsOf(loop.parent);
            int frame = frames.value(parent, frames.value(QString()));
            if (parent.isEmpty() || inside[parent] > 1) frame = addFrame({}, {}, frame);
            frames[wordsOf(loop.id)] = frame;
            Nest& nest = nests[frame];
            nest.labels << wordsOf(loop.label);
            nest.counts << wholeText(loop.count.value);
            nest.isOnce = nest.isOnce && loop.count.value == 1;
            GraphFrame& drawn = m_graph.frames[std::size_t(frame)];
            const QString names = nest.labels.join(QStringLiteral(", "));
            drawn.title =
                (nest.labels.size() > 1 ? Words::tr("loops %1: %2") : Words::tr("loop %1: %2"))
                    .arg(names, nest.isOnce ? Words::tr("once")
                                            : Words::tr("%1 times").arg(nest.counts.join(QStringLiteral(" × "))));
            drawn.record.title = names;
            drawn.record.rows.append({Words::tr("Loop %1").arg(wordsOf(loop.label)), timesText(loop.count)});
            drawn.record.rows.append({Words::tr("In the text"), wordsOf(loop.count.formula)});
            if (loop.detail.empty()) continue;
            if (!drawn.record.explanation.isEmpty()) drawn.record.explanation += QLatin1Char('\n');
            drawn.record.explanation += wordsOf(loop.detail);
        }
    }

    /// The innermost frame around all operators that the tile is read or written by.
    [[nodiscard]] int frameOfTile(const kernelgen::Tile& tile, const Launch& launch, const QHash<QString, int>& frameOf,
                                  int otherwise) const {
        int common = -1;
        for (const kernelgen::Edge& edge : launch.edges) {
            const bool reads = edge.from == tile.id;
            if (!reads && edge.to != tile.id) continue;
            const int other = frameOf.value(wordsOf(reads ? edge.to : edge.from), -1);
            if (other < 0) continue;
            common = common < 0 ? other : commonFrame(common, other);
        }
        return common < 0 ? otherwise : common;
    }
    [[nodiscard]] int commonFrame(int a, int b) const {
        while (a != b) // those around have smaller numbers
            (a > b ? a : b) = m_graph.frames[std::size_t(std::max(a, b))].parent;
        return a;
    }

    void addClosed(const Launch& launch) {
        GraphNode node;
        node.title = wordsOf(launch.label);
        node.shape = Words::tr("grid %1, block %2").arg(gridText(launch.grid), gridText(launch.block));
        node.record = recordOf(launch);
        const int index = addNode(std::move(node), launch.id, m_all);
        for (const kernelgen::Edge& edge : launch.edges) {
            if (const int from = m_nodes.value(wordsOf(edge.from), -1); from >= 0 && from != index)
                m_graph.edges.push_back({from, index, {}});
            if (const int to = m_nodes.value(wordsOf(edge.to), -1); to >= 0 && to != index)
                m_graph.edges.push_back({index, to, {}});
        }
    }

    /// Both ends tell of it.
    void addEdge(const kernelgen::Edge& edge) {
        const int from = m_nodes.value(wordsOf(edge.from), -1), to = m_nodes.value(wordsOf(edge.to), -1);
        if (from < 0 || to < 0) return;
        m_graph.edges.push_back({from, to, {}});
        GraphNode &source = m_graph.nodes[std::size_t(from)], &reader = m_graph.nodes[std::size_t(to)];
        QStringList how{wordsOf(edge.map), wordsOf(edge.detail)};
        how.removeAll(QString());
        if (how.isEmpty()) return;
        const QString text = how.join(QStringLiteral(", "));
        source.record.rows.append({Words::tr("To %1").arg(reader.title), text});
        reader.record.rows.append({Words::tr("From %1").arg(source.title), text});
    }

    const kernelgen::Levels& m_levels;
    OperatorGraph m_graph;
    int m_all = -1;              ///< the frame around closed launches
    QHash<QString, int> m_nodes; ///< by id
};

} // namespace

OperatorGraph levelGraph(const kernelgen::Levels& levels) {
    return Drawing(levels).make();
}

} // namespace kernelarium::ui
