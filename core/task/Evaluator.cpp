// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Evaluator.h"

#include "core/quantities/Quantities.h"
#include "core/task/Binding.h"
#include "core/task/Cost.h"
#include "core/task/Limits.h"
#include "core/task/Liveness.h"
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

std::string tooLarge(const std::vector<Value>& results) {
    std::vector<Tensor> tensors;
    for (const Value& value : results)
        collectTensors(value, tensors);
    for (const Tensor& tensor : tensors)
        if (std::string why = task::tooLarge(tensor.shape()); !why.empty()) return why;
    return {};
}

/// Walks the graph: after(index, NodeShape) sees what every node took and gave; values are dropped after
/// their last use.
template <class After>
Result<Value> walk(const Card& card, const Symbols& symbols, std::span<const Tensor> tensors,
                   std::optional<DType> precision, const OperatorContext& context, After after) {
    const LastUses last = lastUses(card);
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
        if (const std::string why = tooLarge(step.results); !why.empty())
            return Error{"bad_card",
                         fmt::format("Task {}, node {}: the result would have {}.", card.key(), node.name, why)};
        after(i, step);
        results[node.name] = packed(std::move(step.results));
        std::erase_if(results, [&](const auto& entry) { return last.nodes.at(entry.first) <= i; });
    }
    try {
        return bind(card.output);
    } catch (const std::exception& e) {
        return Error{"bad_card", fmt::format("Task {}: {}.", card.key(), e.what())};
    }
}

std::vector<Tensor> shapesOf(const Card& card, const std::vector<tensor::Shape>& shapes,
                             std::optional<DType> precision) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        tensors.push_back(Tensor::shapeOnly(
            isFloating(card.tensors[i].dtype) ? precision.value_or(card.tensors[i].dtype) : card.tensors[i].dtype,
            shapes[i]));
    return tensors;
}

} // namespace

Result<std::vector<NodeShape>> inferShapes(const Card& card, const Symbols& symbols, std::optional<DType> precision) {
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

namespace {

/// Error "out_of_memory" where the evaluation would not fit; the limit otherwise, 0 where none is known.
Result<std::uint64_t> allowedMemory(const Card& card, const Symbols& symbols, const EvaluationOptions& options) {
    const Result<std::uint64_t> needed = memoryNeeded(card, symbols, options.precision);
    if (!needed) return needed.error();
    const std::uint64_t limit = options.memoryLimit ? options.memoryLimit : availableMemory().value_or(0);
    if (!limit || *needed <= limit) return limit;
    return Error{"out_of_memory",
                 fmt::format("Evaluating task {} here takes about {} of memory; {} are {}.", card.key(),
                             quantities::bytes(double(*needed)), quantities::bytes(double(limit)),
                             options.memoryLimit ? "allowed" : "available"),
                 options.memoryLimit ? "Choose a smaller size or raise the limit."
                                     : "Choose a smaller size, or free memory on this machine."};
}

/// Shares of the work done after each operator, which lasts as long as its arithmetic and its traffic.
Result<std::vector<double>> sharesOf(const Card& card, const Symbols& symbols) {
    const Result<Cost> cost = costOf(card, symbols);
    if (!cost) return cost.error();
    std::vector<double> shares;
    double done = 0;
    for (const OperatorCost& c : cost->operators)
        shares.push_back(done += c.flops + 4.0 * c.bytes + 1.0);
    for (double& share : shares)
        share /= done;
    return shares;
}

} // namespace

Result<Value> evaluate(const Card& card, const Symbols& symbols, std::span<const Tensor> tensors,
                       const EvaluationOptions& options) {
    const auto shapes = tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    if (tensors.size() != shapes->size())
        return Error{"bad_argument",
                     fmt::format("Task {} takes {} tensors, not {}.", card.key(), shapes->size(), tensors.size())};
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (!tensors[i].defined() || tensors[i].shape() != (*shapes)[i])
            return Error{"bad_argument",
                         fmt::format("Tensor {} of task {} has the shape {}, not {}.", card.tensors[i].name, card.key(),
                                     tensor::toString(tensors[i].shape()), tensor::toString((*shapes)[i]))};
    const Result<std::uint64_t> limit = allowedMemory(card, symbols, options);
    if (!limit) return limit.error();
    const Result<std::vector<double>> shares = sharesOf(card, symbols);
    if (!shares) return shares.error();
    std::vector<Tensor> converted;
    for (const Tensor& t : tensors)
        converted.push_back(isFloating(t.dtype()) ? t.to(options.precision) : t);
    const LastUses last = lastUses(card);
    OperatorContext context;
    context.stop = options.stop;
    context.threads = options.threads;
    context.memoryLimit = *limit;
    return walk(card, symbols, converted, options.precision, context, [&](std::size_t i, NodeShape& node) {
        node.arguments.clear(); // the last holders of what is dropped here
        node.keywords.clear();
        for (std::size_t t = 0; t < converted.size(); ++t)
            if (last.tensors[t] <= i) converted[t] = {};
        if (options.progress) options.progress((*shares)[i], card.graph[i].op);
    });
}

} // namespace kernelarium::task
