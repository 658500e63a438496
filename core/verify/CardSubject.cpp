// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/CardSubject.h"

#include "core/task/Evaluator.h"
#include "core/task/GraphWalk.h"
#include "core/task/operators/Operators.h"
#include "core/verify/Comparison.h"

#include <algorithm>
#include <stdexcept>

namespace kernelarium::verify {

namespace {

using tensor::DType;

Distribution distributionOf(const task::Fill& fill) {
    using From = task::Fill::Kind;
    using To = Distribution::Kind;
    const auto kind = [&] {
        switch (fill.kind) {
        case From::normal: return To::normal;
        case From::uniform: return To::uniform;
        case From::constant: return To::constant;
        case From::integers: return To::integer;
        case From::booleans: return To::boolean;
        case From::signs: return To::sign;
        case From::probabilities: return To::probabilities;
        case From::upperTriangular: return To::upperTriangular;
        case From::lowerTriangular: return To::lowerTriangular;
        case From::symmetric: return To::symmetric;
        case From::causalMask: return To::causalMask;
        case From::varied: return To::varied;
        case From::variedProbabilities: return To::variedProbabilities;
        case From::values: return To::values;
        }
        throw std::runtime_error("The card has a distribution that is not known here.");
    };
    return {kind(), fill.a, fill.b, fill.values, {}};
}

/// A card's argument of the call with its sizes evaluated.
struct ArgumentPlanner {
    const task::Symbols& symbols;

    ArgumentPlan operator()(const task::Argument& argument) const { return std::visit(*this, argument.kind); }
    ArgumentPlan operator()(std::monostate) const { return {tensor::Value()}; }
    ArgumentPlan operator()(bool v) const { return {tensor::Value(v)}; }
    ArgumentPlan operator()(double v) const { return {tensor::Value(v)}; }
    ArgumentPlan operator()(const std::string& v) const { return {tensor::Value(v)}; }
    ArgumentPlan operator()(DType v) const { return {tensor::Value(v)}; }
    ArgumentPlan operator()(const task::CardTensorRef& v) const { return {ArgumentPlan::Tensor{v.index}}; }
    ArgumentPlan operator()(const task::NodeRef& v) const {
        throw std::runtime_error("The call refers to node " + v.name + " of the graph.");
    }
    ArgumentPlan operator()(const task::SizeExpression& v) const {
        const Result<std::int64_t> value = v.evaluate(symbols);
        if (!value) throw std::runtime_error(value.error().message);
        return {tensor::Value(*value)};
    }
    ArgumentPlan operator()(const task::ArgumentList& items) const {
        ArgumentPlan::List list;
        for (const task::Argument& item : items)
            list.items.push_back((*this)(item));
        return {list};
    }
    ArgumentPlan operator()(const task::ArgumentDict& items) const {
        ArgumentPlan::Dict dict;
        for (const auto& [key, item] : items)
            dict.items.emplace_back(key, (*this)(item));
        return {dict};
    }
};

// Places among the arguments of batch_norm and instance_norm.
constexpr std::size_t meanPlace = 3;
constexpr std::size_t variancePlace = 4;
constexpr std::size_t trainingPlace = 5; // batch_norm's `training`, instance_norm's `use_input_stats`
constexpr std::size_t momentumPlace = 6;

/// Tensors that PyTorch updates in place: running mean and variance of a normalisation in training.
std::vector<std::size_t> runningStatistics(const task::Card& card) {
    std::vector<std::size_t> indices;
    for (const task::Node& node : card.graph) {
        if (node.op != "aten.batch_norm.default" && node.op != "aten.instance_norm.default") continue;
        if (node.arguments.size() <= trainingPlace) continue;
        const bool* trains = std::get_if<bool>(&node.arguments[trainingPlace].kind);
        if (!trains || !*trains) continue;
        for (const std::size_t place : {meanPlace, variancePlace})
            if (const auto* ref = std::get_if<task::CardTensorRef>(&node.arguments[place].kind))
                indices.push_back(ref->index);
    }
    return indices;
}

/// The type that floating outputs have: that of the card's first floating tensor.
DType floatingOutput(const task::Card& card) {
    for (const task::CardTensor& t : card.tensors)
        if (tensor::isFloating(t.dtype)) return t.dtype;
    return DType::Float32;
}

/// What the task gives, for functions that write it instead of returning it. Nothing where its shapes are not known.
std::vector<OutputPlan::Fresh> outputsOfTask(const task::Card& card, const task::Symbols& symbols,
                                             const std::vector<TensorPlan>& tensors) {
    std::vector<tensor::Tensor> shapes;
    for (const TensorPlan& t : tensors)
        shapes.push_back(tensor::Tensor::shapeOnly(t.dtype, t.shape));
    task::OperatorContext context;
    context.shapesOnly = true;
    const Result<tensor::Value> result =
        task::walkGraph(card, symbols, shapes, std::nullopt, context, [](std::size_t, task::NodeShape&) {});
    std::vector<OutputPlan::Fresh> outputs;
    if (!result) return outputs;
    for (const tensor::Tensor& output : flatten(*result))
        outputs.push_back({tensor::isFloating(output.dtype()) ? floatingOutput(card) : output.dtype(), output.shape()});
    return outputs;
}

InputPlan buildPlan(const task::Card& card, const task::Symbols& symbols, std::vector<tensor::Shape> shapes) {
    InputPlan plan;
    for (std::size_t i = 0; i < card.tensors.size(); ++i) {
        const task::CardTensor& t = card.tensors[i];
        plan.tensors.push_back({t.name, t.dtype, std::move(shapes[i]), distributionOf(t.fill), t.isParameter, false});
    }
    for (const std::size_t index : runningStatistics(card))
        if (index < plan.tensors.size()) plan.tensors[index].updatedByTask = true;
    for (const auto& [name, argument] : card.call)
        plan.arguments.push_back(ArgumentPlanner{symbols}(argument));
    plan.outputs.fresh = outputsOfTask(card, symbols, plan.tensors);
    return plan;
}

} // namespace

Result<InputPlan> planOf(const task::Card& card, const std::string& size) {
    Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    try {
        return buildPlan(card, *symbols, std::move(*shapes));
    } catch (const std::exception& failure) {
        return Error{"bad_card", "Card " + card.key() + ": " + failure.what()};
    }
}

CardReference::CardReference(task::Card card, task::Symbols symbols, unsigned threads)
    : m_card(std::move(card))
    , m_symbols(std::move(symbols))
    , m_threads(threads) {}

Result<std::unique_ptr<CardReference>> CardReference::create(task::Card card, const std::string& size,
                                                             unsigned threads) {
    Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    return std::unique_ptr<CardReference>(new CardReference(std::move(card), std::move(*symbols), threads));
}

Result<tensor::Value> CardReference::evaluate(const CallInputs& inputs, std::stop_token stop) {
    task::EvaluationOptions options;
    options.threads = m_threads;
    options.stop = stop;
    Result<tensor::Value> value = task::evaluate(m_card, m_symbols, inputs.tensors, options);
    if (!value) return value;
    const DType floating = floatingOutput(m_card);
    m_outputTypes.clear();
    for (const tensor::Tensor& output : flatten(*value))
        m_outputTypes.push_back(tensor::isFloating(output.dtype()) ? floating : output.dtype());
    return value;
}

Result<std::optional<tensor::Value>> CardReference::evaluateFloat32(const CallInputs& inputs, std::stop_token stop) {
    task::EvaluationOptions options;
    options.precision = DType::Float32;
    options.threads = m_threads;
    options.stop = stop;
    Result<tensor::Value> value = task::evaluate(m_card, m_symbols, inputs.tensors, options);
    if (!value) return value.error();
    return std::optional(std::move(*value));
}

namespace {

/// A norm that moves running statistics.
struct MovingNorm {
    task::Argument input;
    std::size_t mean = 0, variance = 0; ///< the card's tensors
    double weight = 0;
    bool ofBatch = false;
};

std::vector<MovingNorm> movingNorms(const task::Card& card) {
    std::vector<MovingNorm> norms;
    for (const task::Node& node : card.graph) {
        const bool ofBatch = node.op == "aten.batch_norm.default";
        if ((!ofBatch && node.op != "aten.instance_norm.default") || node.arguments.size() <= momentumPlace) continue;
        const bool* trains = std::get_if<bool>(&node.arguments[trainingPlace].kind);
        const double* weight = std::get_if<double>(&node.arguments[momentumPlace].kind);
        const auto* mean = std::get_if<task::CardTensorRef>(&node.arguments[meanPlace].kind);
        const auto* variance = std::get_if<task::CardTensorRef>(&node.arguments[variancePlace].kind);
        if (trains && *trains && weight && mean && variance)
            norms.push_back({node.arguments[0], mean->index, variance->index, *weight, ofBatch});
    }
    return norms;
}

} // namespace

Result<std::vector<tensor::Tensor>> CardReference::updated(const CallInputs& inputs, std::stop_token stop) {
    std::vector<tensor::Tensor> tensors = inputs.tensors;
    std::vector<tensor::Tensor> after(tensors.size());
    const std::vector<MovingNorm> norms = movingNorms(m_card);
    constexpr std::size_t together = 64; // inputs of norms that are kept at a time; each lot walks the graph once
    for (std::size_t from = 0; from < norms.size(); from += together) {
        const std::size_t to = std::min(norms.size(), from + together);
        task::Card asked = m_card;
        task::ArgumentList wanted;
        for (std::size_t n = from; n < to; ++n)
            wanted.push_back(norms[n].input);
        asked.output.kind = std::move(wanted);
        task::EvaluationOptions options;
        options.threads = m_threads;
        options.stop = stop;
        const Result<tensor::Value> given = task::evaluate(asked, m_symbols, inputs.tensors, options);
        if (!given) return given.error();
        const tensor::List* found = given->as<tensor::List>();
        if (!found || found->size() != to - from) return Error{"internal", "A norm's input was not computed."};
        for (std::size_t n = from; n < to; ++n) {
            const MovingNorm& norm = norms[n];
            task::OperatorContext context;
            context.stop = stop;
            context.threads = m_threads;
            const std::vector<tensor::Value> arguments{(*found)[n - from],
                                                       {},
                                                       {},
                                                       tensors.at(norm.mean).to(DType::Float64),
                                                       tensors.at(norm.variance).to(DType::Float64),
                                                       true,
                                                       norm.weight};
            auto moved = task::evaluateOperator(norm.ofBatch ? "aten.batch_norm_update.running"
                                                             : "aten.instance_norm_update.running",
                                                arguments, {}, context);
            if (!moved) return moved.error();
            const std::size_t places[] = {norm.mean, norm.variance};
            for (std::size_t i = 0; i < 2; ++i)
                if (const auto* t = moved->at(i).as<tensor::Tensor>()) tensors[places[i]] = after[places[i]] = *t;
        }
    }
    return after;
}

std::string CardReference::describe() const {
    return "float64 graph of task " + m_card.key();
}

} // namespace kernelarium::verify
