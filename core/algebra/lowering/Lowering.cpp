// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Lowering.h"

#include "core/algebra/lowering/Families.h"
#include "core/task/Binding.h"
#include "core/task/ShapeInference.h"

#include <unordered_map>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace lowering {

namespace {

/// "conv2d" of "aten.conv2d.default"; Python's own functions keep their name.
std::string plainName(const std::string& op) {
    if (!op.starts_with("aten.")) return op;
    const std::string name = op.substr(5);
    return name.substr(0, name.find('.'));
}

const std::unordered_map<std::string_view, Rule>& rules() {
    static const std::unordered_map<std::string_view, Rule> all = [] {
        std::unordered_map<std::string_view, Rule> m;
        for (const Family family :
             {pointwiseFamily(), viewFamily(), assemblyFamily(), productFamily(), convolutionFamily(),
              reductionFamily(), poolingFamily(), normFamily(), lossFamily(), recurrentFamily()})
            for (const Entry& e : family)
                m.emplace(e.op, e.rule);
        return m;
    }();
    return all;
}

Input::Structure structureOf(const task::Fill& fill) {
    switch (fill.kind) {
    case task::Fill::Kind::upperTriangular: return Input::Structure::upperTriangle;
    case task::Fill::Kind::lowerTriangular: return Input::Structure::lowerTriangle;
    case task::Fill::Kind::symmetric: return Input::Structure::symmetric;
    case task::Fill::Kind::causalMask: return Input::Structure::lowerMask;
    default: return Input::Structure::none;
    }
}

class CardLowering {
public:
    CardLowering(const task::Card& card, const task::Symbols& symbols, const std::vector<tensor::Shape>& shapes)
        : m_card(card)
        , m_symbols(symbols)
        , m_shapes(shapes) {}

    Graph run(const std::vector<task::NodeShape>& nodes) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const task::Node& node = m_card.graph[i];
            const auto rule = rules().find(plainName(node.op));
            if (rule == rules().end())
                throw Refusal{fmt::format("{} ({}) has no form in this algebra yet", node.op, node.name)};
            Values arguments;
            for (const task::Argument& a : node.arguments)
                arguments.push_back(valueOf(a));
            std::map<std::string, Value> keywords;
            for (const auto& [key, a] : node.keywords)
                keywords.emplace(key, valueOf(a));
            const OperatorCall call(node, nodes[i], std::move(arguments), std::move(keywords));
            try {
                m_results[node.name] = rule->second(m_builder, call);
            } catch (const Refusal& r) {
                if (r.what.starts_with(node.op)) throw;
                throw Refusal{fmt::format("{} ({}): {}", node.op, node.name, r.what)};
            }
        }
        std::vector<TensorId> outputs;
        addOutputs(valueOf(m_card.output), outputs);
        Graph graph = m_builder.take();
        graph.outputs = std::move(outputs);
        return graph;
    }

private:
    Value valueOf(const task::Argument& a) {
        if (const auto* ref = std::get_if<task::CardTensorRef>(&a.kind)) return Value{tensorAt(ref->index)};
        if (const auto* ref = std::get_if<task::NodeRef>(&a.kind)) return m_results.at(ref->name);
        if (const auto* list = std::get_if<task::ArgumentList>(&a.kind)) {
            Values values;
            for (const task::Argument& item : *list)
                values.push_back(valueOf(item));
            return Value{std::move(values)};
        }
        const task::Binding bind{m_symbols, {}, {}, {}};
        return Value{bind(a)};
    }

    Operand tensorAt(std::size_t index) {
        if (const auto it = m_inputs.find(index); it != m_inputs.end()) return m_builder.operandOf(it->second);
        const task::CardTensor& t = m_card.tensors.at(index);
        const Operand o =
            m_builder.input(t.name, m_shapes[index], t.dtype, Input{index, t.isParameter, structureOf(t.fill)});
        m_inputs.emplace(index, o.read.source);
        return o;
    }

    void addOutputs(const Value& value, std::vector<TensorId>& outputs) {
        if (const Operand* o = value.operand()) outputs.push_back(m_builder.whole(*o, "output"));
        if (const Values* list = value.list())
            for (const Value& v : *list)
                addOutputs(v, outputs);
    }

    const task::Card& m_card;
    const task::Symbols& m_symbols;
    const std::vector<tensor::Shape>& m_shapes;
    Builder m_builder;
    std::unordered_map<std::string, Value> m_results;
    std::unordered_map<std::size_t, TensorId> m_inputs;
};

} // namespace

} // namespace lowering

Result<Graph> lower(const task::Card& card, const task::Symbols& symbols) {
    const auto shapes = task::tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    const auto nodes = task::inferShapes(card, symbols, std::nullopt);
    if (!nodes) return nodes.error();
    try {
        Graph graph = pruned(lowering::CardLowering(card, symbols, *shapes).run(*nodes), true);
        if (graph.outputs.empty()) return Error{"unsupported", "The task returns no tensor."};
        if (Result<void> sound = checkGraph(graph); !sound) return sound.error();
        return graph;
    } catch (const lowering::Refusal& r) {
        return Error{"unsupported", fmt::format("The algebra has no form for {}.", r.what)};
    }
}

} // namespace kernelarium::algebra
