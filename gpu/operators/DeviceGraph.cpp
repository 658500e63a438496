// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceGraph.h"

#include "core/quantities/Quantities.h"
#include "core/task/Binding.h"
#include "core/task/Cost.h"
#include "core/task/Liveness.h"
#include "gpu/operators/PlanningMachine.h"

#include <unordered_map>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

/// Every tensor of an argument, depth first, as task::Binding orders them.
void collectArgument(const task::Argument& argument, std::span<const DeviceTensor> inputs,
                     const std::unordered_map<std::string, DeviceValue>& nodes, std::vector<DeviceTensor>& out) {
    if (const auto* t = std::get_if<task::CardTensorRef>(&argument.kind)) out.push_back(inputs[t->index]);
    if (const auto* n = std::get_if<task::NodeRef>(&argument.kind))
        out.insert(out.end(), nodes.at(n->name).tensors.begin(), nodes.at(n->name).tensors.end());
    if (const auto* list = std::get_if<task::ArgumentList>(&argument.kind))
        for (const task::Argument& a : *list)
            collectArgument(a, inputs, nodes, out);
    if (const auto* dict = std::get_if<task::ArgumentDict>(&argument.kind))
        for (const auto& [key, a] : *dict)
            collectArgument(a, inputs, nodes, out);
}

/// A node with one result is that result; with several, a list.
DeviceValue packed(DeviceResults results) {
    if (results.size() == 1) return std::move(results.front());
    tensor::List list;
    std::vector<DeviceTensor> tensors;
    for (DeviceValue& r : results) {
        list.push_back(r.value);
        tensors.insert(tensors.end(), r.tensors.begin(), r.tensors.end());
    }
    return {list, tensors};
}

/// A walk through the graph.
class GraphWalk {
public:
    GraphWalk(Device& device, const task::Card& card, const task::Symbols& symbols,
              std::span<const DeviceTensor> inputs, DType precision)
        : m_device(device)
        , m_card(card)
        , m_symbols(symbols)
        , m_last(task::lastUses(card))
        , m_precision(precision)
        , m_inputs(inputs.begin(), inputs.end()) {
        for (const DeviceTensor& t : m_inputs)
            m_shapes.push_back(Tensor::shapeOnly(isFloating(t.dtype) ? precision : t.dtype, t.shape));
    }

    template <class After> DeviceValue run(After after) {
        for (std::size_t i = 0; i < m_card.graph.size(); ++i) {
            step(m_card.graph[i]);
            std::erase_if(m_nodes, [&](const auto& entry) { return m_last.nodes.at(entry.first) <= i; });
            for (std::size_t t = 0; t < m_inputs.size(); ++t)
                if (m_last.tensors[t] <= i) m_inputs[t].storage.reset();
            after(i);
        }
        return bound(m_card.output);
    }

private:
    void step(const task::Node& node) {
        try {
            std::vector<DeviceValue> arguments;
            for (const task::Argument& a : node.arguments)
                arguments.push_back(bound(a));
            std::vector<NamedValue> keywords;
            for (const auto& [key, a] : node.keywords)
                keywords.emplace_back(key, bound(a));
            m_nodes[node.name] = packed(runOperator(m_device, node.op, arguments, keywords));
        } catch (Failure& failure) {
            failure.error.message = fmt::format("Task {}, node {}: {}", m_card.key(), node.name, failure.error.message);
            throw;
        } catch (const std::exception& e) {
            throw Failure{{"bad_card", fmt::format("Task {}, node {}: {}.", m_card.key(), node.name, e.what())}};
        }
    }

    DeviceValue bound(const task::Argument& argument) {
        convertInputs(argument);
        const task::Binding bind{m_symbols, m_shapes, [&](const std::string& name) { return m_nodes.at(name).value; },
                                 m_precision};
        DeviceValue v(bind(argument));
        collectArgument(argument, m_inputs, m_nodes, v.tensors);
        return v;
    }
    /// Inputs take their type in the evaluation when they are first used.
    void convertInputs(const task::Argument& argument) {
        if (const auto* t = std::get_if<task::CardTensorRef>(&argument.kind)) {
            DeviceTensor& input = m_inputs.at(t->index);
            if (!input.storage) throw Failure{{"internal", "A tensor was dropped before its last use."}};
            input = converted(m_device, input, m_shapes[t->index].dtype());
        }
        if (const auto* list = std::get_if<task::ArgumentList>(&argument.kind))
            for (const task::Argument& a : *list)
                convertInputs(a);
        if (const auto* dict = std::get_if<task::ArgumentDict>(&argument.kind))
            for (const auto& [key, a] : *dict)
                convertInputs(a);
    }

    Device& m_device;
    const task::Card& m_card;
    const task::Symbols& m_symbols;
    task::LastUses m_last;
    DType m_precision;
    std::vector<DeviceTensor> m_inputs;
    std::vector<Tensor> m_shapes;
    std::unordered_map<std::string, DeviceValue> m_nodes;
};

/// Shares of the work done after each operator: its arithmetic and its traffic.
std::vector<double> sharesOf(const task::Card& card, const task::Symbols& symbols) {
    const task::Cost cost = valueOf(task::costOf(card, symbols));
    std::vector<double> shares;
    double done = 0;
    for (const task::OperatorCost& c : cost.operators)
        shares.push_back(done += c.flops + 8.0 * c.bytes + 1.0);
    for (double& share : shares)
        share /= done;
    return shares;
}

void checkInputs(const task::Card& card, const std::vector<tensor::Shape>& shapes,
                 std::span<const DeviceTensor> inputs) {
    if (inputs.size() != shapes.size())
        throw Failure{{"bad_argument",
                       fmt::format("Task {} takes {} tensors, not {}.", card.key(), shapes.size(), inputs.size())}};
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].shape != shapes[i] || !inputs[i].storage)
            throw Failure{{"bad_argument",
                           fmt::format("Tensor {} of task {} has the shape {}, not {}.", card.tensors[i].name,
                                       card.key(), tensor::toString(inputs[i].shape), tensor::toString(shapes[i]))}};
}

GraphPlan planned(const task::Card& card, const task::Symbols& symbols, DType precision, const MachineFacts& facts) {
    PlanningMachine machine(facts);
    Device device(machine, nullptr);
    const std::vector<tensor::Shape> shapes = valueOf(task::tensorShapes(card, symbols));
    std::vector<DeviceTensor> inputs;
    // Inputs are not counted: one address stands for them all.
    const auto storage = std::make_shared<const Storage>(machine, 0, 0, Storage::Belongs::elsewhere);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        inputs.push_back({tensor::Layout(shapes[i]), card.tensors[i].dtype, storage});
    GraphWalk(device, card, symbols, inputs, precision).run([](std::size_t) {});
    return {machine.peak(), {device.kernels().begin(), device.kernels().end()}};
}

void checkMemory(const task::Card& card, const GraphPlan& plan, std::uint64_t limit, std::uint64_t free) {
    const std::uint64_t allowed = limit ? limit : free;
    if (plan.bytes <= allowed) return;
    throw Failure{{"out_of_memory",
                   fmt::format("Evaluating task {} on the device needs {} beside its inputs; {} are {}.", card.key(),
                               quantities::bytes(double(plan.bytes)), quantities::bytes(double(allowed)),
                               limit ? "allowed" : "free"),
                   "Choose a smaller size, or a device with more memory."}};
}

} // namespace

Result<GraphPlan> planGraph(const task::Card& card, const task::Symbols& symbols, DType precision,
                            const MachineFacts& facts) {
    try {
        return planned(card, symbols, precision, facts);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

Result<DeviceValue> evaluateGraph(Device& device, const task::Card& card, const task::Symbols& symbols,
                                  std::span<const DeviceTensor> inputs, const GraphOptions& options) {
    try {
        checkInputs(card, valueOf(task::tensorShapes(card, symbols)), inputs);
        const GraphPlan plan = planned(card, symbols, options.precision, device.machine().facts());
        checkMemory(card, plan, options.memoryLimit, device.machine().freeBytes());
        if (device.library()) valueOf(device.library()->prepare(device.machine(), plan.kernels));
        const std::vector<double> shares =
            options.progress ? sharesOf(card, symbols) : std::vector<double>(card.graph.size());
        device.setStop(options.stop);
        DeviceValue result = GraphWalk(device, card, symbols, inputs, options.precision).run([&](std::size_t i) {
            if (!options.progress) return;
            valueOf(device.machine().synchronize());
            options.progress(shares[i], card.graph[i].op);
        });
        valueOf(device.machine().synchronize());
        return result;
    } catch (const Failure& failure) {
        return failure.error;
    }
}

namespace {
Value filledIn(Device& device, const Value& value, const std::vector<DeviceTensor>& tensors, std::size_t& next) {
    if (value.as<Tensor>()) return device.download(dense(device, tensors.at(next++)));
    if (const auto* list = value.as<tensor::List>()) {
        tensor::List out;
        for (const Value& v : *list)
            out.push_back(filledIn(device, v, tensors, next));
        return out;
    }
    if (const auto* dict = value.as<tensor::Dict>()) {
        tensor::Dict out;
        for (const auto& [key, v] : *dict)
            out.emplace_back(key, filledIn(device, v, tensors, next));
        return out;
    }
    return value;
}
} // namespace

Result<Value> downloaded(Device& device, const DeviceValue& value) {
    try {
        std::size_t next = 0;
        return filledIn(device, value.value, value.tensors, next);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

} // namespace kernelarium::operators
