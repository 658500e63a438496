// SPDX-License-Identifier: GPL-3.0-or-later
#include "CardsAtWork.h"

#include "core/algebra/graph/Interpreter.h"
#include "core/task/Evaluator.h"
#include "core/verify/CardSubject.h"
#include "core/verify/inputs/InputPlan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::algebra::test {

namespace {

std::vector<double> elementsOf(const tensor::Tensor& t) {
    const tensor::Tensor wide = t.to(tensor::DType::Float64);
    const double* data = wide.data<double>();
    return {data, data + wide.count()};
}

} // namespace

Result<CardAtWork> atWork(const task::Card& card, const std::string& size, std::uint64_t seed) {
    const auto plan = verify::planOf(card, size);
    if (!plan) return plan.error();
    const auto symbols = card.size(size);
    if (!symbols) return symbols.error();
    const std::vector<tensor::Tensor> tensors = verify::drawTensors(*plan, seed);
    task::EvaluationOptions options;
    options.threads = 2;
    const Result<tensor::Value> value = task::evaluate(card, *symbols, tensors, options);
    if (!value) return value.error();
    CardAtWork work;
    for (const tensor::Tensor& t : tensors)
        work.inputs.push_back(elementsOf(t));
    std::vector<tensor::Tensor> outputs;
    tensor::collectTensors(*value, outputs);
    for (const tensor::Tensor& t : outputs)
        work.outputs.push_back(elementsOf(t));
    return work;
}

double distance(const std::vector<std::vector<double>>& expected, const std::vector<std::vector<double>>& got) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (expected.size() != got.size()) return never;
    double worst = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        if (expected[k].size() != got[k].size()) return never;
        double largest = 0, apart = 0;
        for (std::size_t i = 0; i < expected[k].size(); ++i) {
            const double a = expected[k][i], b = got[k][i];
            if (a == b || (std::isnan(a) && std::isnan(b))) continue;
            if (!std::isfinite(a - b)) return never;
            apart = std::max(apart, std::abs(a - b));
        }
        for (double a : expected[k])
            if (std::isfinite(a)) largest = std::max(largest, std::abs(a));
        worst = std::max(worst, apart / (largest > 1e-30 ? largest : 1.0));
    }
    return worst;
}

double sensitivity(const Graph& graph, const std::vector<std::vector<double>>& inputs,
                   const std::vector<std::vector<double>>& outputs) {
    std::vector<std::vector<double>> moved = inputs;
    std::size_t n = 0;
    for (std::vector<double>& tensor : moved)
        for (double& x : tensor)
            if (x != std::round(x)) x *= 1 + ((++n * 2654435761U >> 7) % 9 - 4.0) * 2.2e-16;
    const auto got = evaluate(graph, moved);
    return got ? distance(outputs, *got) : 0;
}

double allowed(const Graph& graph, const std::vector<std::vector<double>>& inputs,
               const std::vector<std::vector<double>>& outputs, double apart) {
    constexpr double usual = 1e-9;
    return apart <= usual ? usual : std::max(usual, 100 * sensitivity(graph, inputs, outputs));
}

} // namespace kernelarium::algebra::test
