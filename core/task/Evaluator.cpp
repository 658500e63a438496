// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Evaluator.h"

#include "core/task/Binding.h"
#include "core/task/Cost.h"
#include "core/task/Operators.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace kernelarium::task {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

using NodeResults = std::unordered_map<std::string, Value>;

/// A node with one result is that result; with several, a list, as Python's tuple.
Value packed(std::vector<Value> results) {
    if (results.size() == 1) return std::move(results.front());
    return tensor::List(std::make_move_iterator(results.begin()), std::make_move_iterator(results.end()));
}

/// For every node, the index of the last node that uses it; the graph's size for what is returned.
std::unordered_map<std::string, std::size_t> lastUses(const Card& card) {
    std::unordered_map<std::string, std::size_t> last;
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        last[card.graph[i].name] = i;
        const auto use = [&](const std::string& name) { last[name] = i; };
        for (const Argument& a : card.graph[i].arguments)
            forNodes(a, use);
        for (const auto& [key, a] : card.graph[i].keywords)
            forNodes(a, use);
    }
    forNodes(card.output, [&](const std::string& name) { last[name] = card.graph.size(); });
    return last;
}

/// Walks the graph: after(index, NodeShape) sees what every node took and gave; values are dropped after
/// their last use.
template <class After>
Result<Value> walk(const Card& card, const Symbols& symbols, std::span<const Tensor> tensors, DType precision,
                   const OperatorContext& context, After after) {
    const auto last = lastUses(card);
    NodeResults results;
    const Binding bind{symbols, tensors,
                       [&](const std::string& name) {
                           const auto it = results.find(name);
                           if (it == results.end())
                               throw std::runtime_error(fmt::format("there is no node {} before it", name));
                           return it->second;
                       },
                       precision};
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        const Node& node = card.graph[i];
        NodeShape step;
        Result<std::vector<Value>> result = [&]() -> Result<std::vector<Value>> {
            try {
                for (const Argument& a : node.arguments)
                    step.arguments.push_back(bind(a));
                for (const auto& [key, a] : node.keywords)
                    step.keywords.emplace_back(key, bind(a));
                return evaluateOperator(node.op, step.arguments, step.keywords, context);
            } catch (const std::exception& e) {
                return Error{"bad_card", e.what()};
            }
        }();
        if (!result) {
            Error error = result.error();
            error.message = fmt::format("Task {}, node {}: {}", card.key(), node.name, error.message);
            return error;
        }
        step.results = *std::move(result);
        after(i, step);
        results[node.name] = packed(std::move(step.results));
        std::erase_if(results, [&](const auto& entry) { return last.at(entry.first) <= i; });
    }
    try {
        return bind(card.output);
    } catch (const std::exception& e) {
        return Error{"bad_card", fmt::format("Task {}: {}.", card.key(), e.what())};
    }
}

std::vector<Tensor> shapesOf(const Card& card, const std::vector<tensor::Shape>& shapes, DType precision) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        tensors.push_back(Tensor::shapeOnly(
            isFloating(card.tensors[i].dtype) ? precision : card.tensors[i].dtype, shapes[i]));
    return tensors;
}

std::uint64_t heldBytes(const std::vector<Value>& values) {
    std::uint64_t bytes = 0;
    std::vector<Tensor> tensors;
    for (const Value& v : values)
        collectTensors(v, tensors);
    for (const Tensor& t : tensors)
        bytes += t.byteCount();
    return bytes;
}

constexpr std::uint64_t scratchPerOperator = 64ull << 20; ///< columns of convolutions and the like

} // namespace

Result<std::vector<NodeShape>> inferShapes(const Card& card, const Symbols& symbols, DType precision) {
    const auto shapes = tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    OperatorContext context;
    context.shapesOnly = true;
    std::vector<NodeShape> nodes;
    const Result<Value> result = walk(card, symbols, shapesOf(card, *shapes, precision), precision, context,
                                      [&](std::size_t, const NodeShape& node) { nodes.push_back(node); });
    if (!result) return result.error();
    return nodes;
}

Result<std::uint64_t> memoryNeeded(const Card& card, const Symbols& symbols, DType precision) {
    const auto nodes = inferShapes(card, symbols, precision);
    if (!nodes) return nodes.error();
    const auto shapes = tensorShapes(card, symbols);
    std::uint64_t live = 0;
    for (const Tensor& t : shapesOf(card, *shapes, precision))
        live += t.byteCount();
    const auto last = lastUses(card);
    std::vector<std::vector<std::uint64_t>> dropped(card.graph.size() + 1);
    std::uint64_t peak = live;
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        const std::uint64_t own = heldBytes((*nodes)[i].results);
        live += own;
        dropped[last.at(card.graph[i].name)].push_back(own);
        peak = std::max(peak, live + own); // operators may hold one more copy while they work
        for (std::uint64_t bytes : dropped[i])
            live -= bytes;
    }
    return peak + scratchPerOperator;
}

Result<Value> evaluate(const Card& card, const Symbols& symbols, std::span<const Tensor> tensors,
                       const EvaluationOptions& options) {
    const auto shapes = tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    if (tensors.size() != shapes->size())
        return Error{"bad_argument", fmt::format("Task {} takes {} tensors, not {}.", card.key(),
                                                 shapes->size(), tensors.size())};
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (!tensors[i].defined() || tensors[i].shape() != (*shapes)[i])
            return Error{"bad_argument",
                         fmt::format("Tensor {} of task {} has the shape {}, not {}.", card.tensors[i].name,
                                     card.key(), tensor::toString(tensors[i].shape()),
                                     tensor::toString((*shapes)[i]))};
    const Result<std::uint64_t> needed = memoryNeeded(card, symbols, options.precision);
    if (!needed) return needed.error();
    if (options.memoryLimit && *needed > options.memoryLimit)
        return Error{
            "out_of_memory",
            fmt::format("Evaluating task {} here takes about {:.2f} GiB of memory; {:.2f} GiB are allowed.",
                        card.key(), double(*needed) / double(1 << 30),
                        double(options.memoryLimit) / double(1 << 30)),
            "Choose a smaller size or raise the limit."};
    std::vector<Tensor> converted;
    for (const Tensor& t : tensors)
        converted.push_back(isFloating(t.dtype()) ? t.to(options.precision) : t);

    const Result<Cost> cost = costOf(card, symbols);
    if (!cost) return cost.error();
    double total = 0, done = 0; // an operator lasts as long as its arithmetic and its traffic
    const auto weight = [&](const OperatorCost& c) { return c.flops + 4.0 * c.bytes + 1.0; };
    for (const OperatorCost& c : cost->operators)
        total += weight(c);
    OperatorContext context;
    context.stop = options.stop;
    context.threads = options.threads;
    return walk(card, symbols, converted, options.precision, context, [&](std::size_t i, const NodeShape&) {
        done += weight(cost->operators[i]);
        if (options.progress) options.progress(done / total, card.graph[i].op);
    });
}

} // namespace kernelarium::task
