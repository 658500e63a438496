// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Evaluator.h"

#include "core/quantities/Quantities.h"
#include "core/task/Cost.h"
#include "core/task/GraphWalk.h"
#include "core/task/Liveness.h"
#include "core/task/MemoryNeed.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::task {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

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
    const LastUses last = lastUses(card);
    std::vector<Tensor> converted(tensors.size());
    const auto convertFor = [&](std::size_t node) { // not before: all together they may be the most that is held
        for (std::size_t t = 0; t < tensors.size(); ++t)
            if (last.firstOfTensors[t] == node)
                converted[t] = isFloating(tensors[t].dtype()) ? tensors[t].to(options.precision) : tensors[t];
    };
    convertFor(0);
    OperatorContext context;
    context.stop = options.stop;
    context.threads = options.threads;
    context.memoryLimit = *limit;
    return walkGraph(card, symbols, converted, options.precision, context, [&](std::size_t i, NodeShape& node) {
        node.arguments.clear(); // the last holders of what is dropped here
        node.keywords.clear();
        for (std::size_t t = 0; t < converted.size(); ++t)
            if (last.tensors[t] <= i) converted[t] = {};
        convertFor(i + 1);
        if (options.progress) options.progress((*shares)[i], card.graph[i].op);
    });
}

} // namespace kernelarium::task
