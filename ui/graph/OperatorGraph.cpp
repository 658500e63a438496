// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/OperatorGraph.h"

#include <map>
#include <set>

namespace kernelarium::ui {

namespace {

QString shortName(const std::string& op) {
    const QString whole = QString::fromStdString(op);
    if (whole.startsWith(QLatin1Char('<'))) // "<built-in function getitem>"
        return whole.section(QLatin1Char(' '), -1).remove(QLatin1Char('>'));
    const QStringList parts = whole.split(QLatin1Char('.'));
    return parts.size() > 1 ? parts[1] : parts[0];
}

QString shapeText(const tensor::Shape& shape) {
    return shape.empty() ? QStringLiteral("scalar") : QString::fromStdString(tensor::toString(shape));
}

/// Everything that an argument takes from the graph.
struct Sources {
    std::set<std::string> nodes;
    std::set<std::size_t> tensors;

    void add(const task::Argument& argument) {
        if (const auto* node = std::get_if<task::NodeRef>(&argument.kind)) nodes.insert(node->name);
        if (const auto* tensor = std::get_if<task::CardTensorRef>(&argument.kind)) tensors.insert(tensor->index);
        if (const auto* list = std::get_if<task::ArgumentList>(&argument.kind))
            for (const task::Argument& item : *list)
                add(item);
        if (const auto* dict = std::get_if<task::ArgumentDict>(&argument.kind))
            for (const auto& [key, item] : *dict)
                add(item);
    }
};

class Builder {
public:
    Builder(const task::Card& card, const std::vector<tensor::Shape>& shapes, OperatorGraph& graph)
        : m_card(card)
        , m_shapes(shapes)
        , m_graph(graph) {}

    void connect(const Sources& sources, int to) {
        for (const std::size_t index : sources.tensors)
            m_graph.edges.push_back({tensorNode(index), to, {}});
        for (const std::string& name : sources.nodes)
            if (const auto found = m_nodes.find(name); found != m_nodes.end())
                m_graph.edges.push_back({found->second, to, {}});
    }

    int add(GraphNode node) {
        m_graph.nodes.push_back(std::move(node));
        return int(m_graph.nodes.size()) - 1;
    }

    void name(const std::string& node, int index) { m_nodes[node] = index; }

private:
    int tensorNode(std::size_t index) {
        if (const auto found = m_tensors.find(index); found != m_tensors.end()) return found->second;
        const task::CardTensor& tensor = m_card.tensors.at(index);
        GraphNode node;
        node.kind = tensor.isParameter ? GraphNode::Kind::parameter : GraphNode::Kind::input;
        node.id = node.title = QString::fromStdString(tensor.name);
        if (index < m_shapes.size()) {
            node.shape = shapeText(m_shapes[index]);
            node.bytes = double(tensor::elementCount(m_shapes[index])) * double(tensor::byteSize(tensor.dtype));
        } else {
            QStringList sides;
            for (const task::SizeExpression& expression : tensor.shape)
                sides << QString::fromStdString(expression.text());
            node.shape = QLatin1Char('[') + sides.join(QStringLiteral(", ")) + QLatin1Char(']');
        }
        return m_tensors[index] = add(std::move(node));
    }

    const task::Card& m_card;
    const std::vector<tensor::Shape>& m_shapes;
    OperatorGraph& m_graph;
    std::map<std::size_t, int> m_tensors;
    std::map<std::string, int> m_nodes;
};

} // namespace

OperatorGraph operatorGraph(const task::Card& card, const std::vector<tensor::Shape>& shapes, const task::Cost& cost) {
    OperatorGraph graph;
    Builder builder(card, shapes, graph);
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        GraphNode node;
        node.id = QString::fromStdString(card.graph[i].name);
        node.title = shortName(card.graph[i].op);
        if (i < cost.operators.size()) {
            const task::OperatorCost& own = cost.operators[i];
            node.kind = own.isView ? GraphNode::Kind::view : GraphNode::Kind::work;
            node.shape = shapeText(own.output);
            node.flops = own.flops;
            node.bytes = own.bytes;
        }
        const int index = builder.add(std::move(node));
        builder.name(card.graph[i].name, index);
        Sources sources;
        for (const task::Argument& argument : card.graph[i].arguments)
            sources.add(argument);
        for (const auto& [key, argument] : card.graph[i].keywords)
            sources.add(argument);
        builder.connect(sources, index);
    }
    GraphNode output;
    output.kind = GraphNode::Kind::output;
    output.id = output.title = QStringLiteral("output");
    const int last = builder.add(std::move(output));
    Sources results;
    results.add(card.output);
    builder.connect(results, last);
    return graph;
}

} // namespace kernelarium::ui
