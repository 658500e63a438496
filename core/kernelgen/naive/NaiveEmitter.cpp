// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/naive/NaiveEmitter.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/naive/DefinitionLevels.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Recurrence;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Tensors of the full size larger than this are let go of after their last use.
constexpr std::int64_t largeElements = 1 << 24;

class NaiveEmitter {
public:
    explicit NaiveEmitter(KernelFile& file)
        : m_file(file)
        , m_each(file.graphs().each()) {}

    void run() {
        const Graph& graph = m_file.full();
        m_file.constant("constexpr int threads = 256; // tune: pow2 64..1024");
        for (TensorId id = 0; id < graph.tensors.size(); ++id) {
            const Tensor& t = graph.tensors[id];
            if (t.input()) continue;
            m_file.declare(id);
            if (t.recurrence())
                recurrence(id);
            else
                launch(m_each, id, {}, m_file.variable(id) + ".numel()",
                       [this](TensorId k) { return m_file.tensorNode(k); });
        }
    }

private:
    void launch(const Each<Graph>& graph, TensorId id, const std::map<std::size_t, std::string>& pointers,
                const std::string& elements, const FormulaLevels::NodeOf& nodeOf) {
        const DefinitionKernel kernel = definitionKernel(m_file, graph, id);
        std::vector<std::string> last;
        std::string grid;
        if (kernel.blockPerElement) {
            grid = elements;
        } else if (kernel.count == "rows") {
            const auto t = graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
            const auto axis = std::size_t(algebra::scanAxis(t.first()));
            last = {fmt::format("{} / ({})", elements, m_file.number(extentOf(t, axis)))};
            grid = fmt::format("blocks({}, threads)", last[0]);
        } else {
            last = {elements};
            grid = fmt::format("blocks({}, threads)", elements);
        }
        m_file.launch(kernel.name, grid, kernel.text, pointers, last);
        describeDefinition(m_file, graph, id, {}, kernel, nodeOf);
    }

    /// A launch of each of the body's kernels for every step, the states in their places of the result.
    void recurrence(TensorId id) {
        const Recurrence& r = *m_file.full().tensors[id].recurrence();
        const auto body =
            m_each.part([id](const Graph& g) -> const Graph& { return *g.tensors[id].recurrence()->body; });
        const Values steps = m_each.values([id](const Graph& g) { return g.tensors[id].recurrence()->steps; });
        m_file.nameExtents(body);
        const Graph& graph = *r.body;
        const std::size_t states = r.initial.size();
        const std::string result = m_file.pointer(id), count = m_file.number(steps);
        std::map<std::size_t, std::string> pointers, elements;
        std::vector<std::pair<std::size_t, TensorId>> inputs; // number among the inputs, tensor
        for (TensorId k = 0; k < graph.tensors.size(); ++k) {
            const Tensor& t = graph.tensors[k];
            if (t.recurrence()) throw Refusal("a recurrence within a recurrence");
            const auto output = std::find(graph.outputs.begin(), graph.outputs.end(), k);
            if (t.input()) {
                if (output != graph.outputs.end()) throw Refusal("a recurrence that hands on what it is given");
                inputs.emplace_back(t.input()->cardTensor, k);
                continue;
            }
            const auto each = body.part([k](const Graph& g) -> const Tensor& { return g.tensors[k]; });
            if (output == graph.outputs.end()) {
                const std::string name = m_file.takeName(t.name);
                m_file.hostLine(fmt::format("const auto {} = torch::empty({}, options.dtype({}));", name,
                                            m_file.shape(each), scalarTypeName(t.dtype)));
                pointers[k] = fmt::format("{}.data_ptr<{}>()", name, typeName(t.dtype));
                elements[k] = name + ".numel()";
            }
        }
        const std::string size = m_file.takeName(fmt::format("{}_state", m_file.full().tensors[id].name));
        m_file.hostLine(fmt::format("const int64_t {} = {}.numel() / ({} * {}); // elements of one state", size,
                                    m_file.variable(id), states, count));
        m_file.hostLine(fmt::format("for (int64_t step = 0; step < {}; ++step) {{", count));
        m_file.indent(1);
        m_file.setTimes(m_file.amount(steps));
        const std::string t = r.backwards ? fmt::format("{} - 1 - step", count) : "step";
        m_file.hostLine(fmt::format("const int64_t t = {};", t));
        for (const auto& [number, tensor] : inputs) {
            const std::string type = typeName(graph.tensors[tensor].dtype);
            if (number < states) {
                const std::string name = m_file.takeName(graph.tensors[tensor].name + "_before");
                m_file.hostLine(fmt::format("const {}* {} = {};", type, name, m_file.pointer(r.initial[number])));
                m_file.hostLine(fmt::format("if (step > 0) {} = {} + ({} * {} + t {} 1) * {};", name, result, number,
                                            count, r.backwards ? "+" : "-", size));
                pointers[tensor] = name;
            } else if (number < states + r.sequences.size()) {
                const TensorId from = r.sequences[number - states];
                pointers[tensor] =
                    fmt::format("{} + t * ({}.numel() / ({}))", m_file.pointer(from), m_file.variable(from), count);
            } else {
                pointers[tensor] = m_file.pointer(r.constants.at(number - states - r.sequences.size()));
            }
        }
        for (std::size_t s = 0; s < graph.outputs.size(); ++s) {
            if (pointers.contains(graph.outputs[s])) throw Refusal("a recurrence that gives one state twice");
            pointers[graph.outputs[s]] = fmt::format("{} + ({} * {} + t) * {}", result, s, count, size);
            elements[graph.outputs[s]] = size;
        }
        const auto nodeOf = [&](TensorId k) {
            const algebra::Input* in = graph.tensors[k].input();
            const bool isState = std::count(graph.outputs.begin(), graph.outputs.end(), k) > 0;
            if (isState || (in && in->cardTensor < states)) return m_file.tensorNode(id);
            if (in && in->cardTensor < states + r.sequences.size())
                return m_file.tensorNode(r.sequences[in->cardTensor - states]);
            if (in) return m_file.tensorNode(r.constants[in->cardTensor - states - r.sequences.size()]);
            return bodyNode(m_file, body, id, k);
        };
        for (TensorId k = 0; k < graph.tensors.size(); ++k)
            if (graph.tensors[k].definition()) launch(body, k, pointers, elements.at(k), nodeOf);
        m_file.setTimes({"1", 1});
        m_file.indent(-1);
        m_file.hostLine("}");
    }

    KernelFile& m_file;
    Each<Graph> m_each;
};

} // namespace

Result<Emitted> emitNaive(const task::Card& card, const EmitOptions& options) {
    const Result<SizedGraphs> graphs = graphsOf(card, options.rewriting, options.size);
    if (!graphs) return graphs.error();
    try {
        KernelFile file(card, *graphs);
        NaiveEmitter(file).run();
        const std::string idea =
            "One kernel for each formula, one thread for each element: nothing is shared or fused. "
            "It is right at every size and slow; begin here.";
        std::string text = file.finish("naive", idea, options.rewrites);
        return Emitted{std::move(text), "naive", "one kernel for each formula", file.finishedLevels()};
    } catch (const Refusal& r) {
        return Error{"unsupported",
                     fmt::format("No kernel file can be written for {}: it has {}.", card.key(), r.what())};
    }
}

} // namespace kernelarium::kernelgen
