// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/GraphWalk.h"

#include "core/task/Binding.h"
#include "core/task/Liveness.h"
#include "core/task/operators/Operators.h"
#include "core/tensor/Limits.h"

#include <stdexcept>
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
        if (std::string why = tensor::tooLarge(tensor.shape()); !why.empty()) return why;
    return {};
}

} // namespace

Result<Value> walkGraph(const Card& card, const Symbols& symbols, std::span<const Tensor> tensors,
                        std::optional<DType> precision, const OperatorContext& context, const AfterNode& after) {
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
        std::erase_if(results, [&](const auto& entry) { return last.nodes.at(entry.first) <= i; });
        after(i, step);
        if (last.nodes.at(node.name) > i) results[node.name] = packed(std::move(step.results));
    }
    try {
        return bind(card.output);
    } catch (const std::exception& e) {
        return Error{"bad_card", fmt::format("Task {}: {}.", card.key(), e.what())};
    }
}

} // namespace kernelarium::task
