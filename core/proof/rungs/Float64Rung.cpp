// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/proof/rungs/CardInputs.h"
#include "core/task/Evaluator.h"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::proof {

namespace {

using Outputs = std::vector<std::vector<double>>;

struct Apart {
    double distance = 0; ///< largest difference over the largest value; infinite where one is not finite alone
    std::size_t output = 0, element = 0;
};
Apart apart(const Outputs& expected, const Outputs& got) {
    Apart worst;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        double largest = 0;
        for (double v : expected[k])
            if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
        if (largest < 1e-30) largest = 1;
        for (std::size_t i = 0; i < expected[k].size(); ++i) {
            const double a = expected[k][i], b = got[k][i];
            if (a == b || (std::isnan(a) && std::isnan(b))) continue;
            const double d = std::isfinite(a - b) ? std::abs(a - b) / largest : std::numeric_limits<double>::infinity();
            if (d > worst.distance) worst = {d, k, i};
        }
    }
    return worst;
}

/// Of the smallest size, without which there is no verdict, as many times the work is allowed.
constexpr double moreWorkAtFirst = 10;
/// Two graphs that are equal in the reals are apart by no more than so many times what the last bit of the inputs does;
/// where that is more than this share of the largest value, nothing can be seen at the size.
constexpr double roundings = 64, mostRoundings = 1e-4;

/// How far the card's graph moves when each input changes by its last bit, up or down in turn: norms of few elements
/// and deep networks make much of little.
Result<double> sensitivity(const Sized& s, std::vector<std::vector<double>> inputs, const Outputs& original,
                           std::stop_token stop) {
    for (std::vector<double>& tensor : inputs)
        for (std::size_t i = 0; i < tensor.size(); ++i)
            if (tensor[i] != std::trunc(tensor[i])) // whole numbers may be labels and masks
                tensor[i] *= 1 + (i * 2654435761u % 7 < 3 ? -1 : 1) * std::numeric_limits<double>::epsilon();
    const Result<Outputs> moved = algebra::evaluate(s.original, inputs, std::move(stop));
    if (!moved) return moved.error();
    return apart(original, *moved).distance;
}

bool fits(const Outputs& a, const Outputs& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a[k].size() != b[k].size()) return false;
    return true;
}

/// What the card itself gives.
Result<Outputs> ofCard(const Sized& s, const CardInputs& inputs, const Options& options) {
    const Result<task::Symbols> symbols = s.card.size(s.size);
    if (!symbols) return symbols.error();
    task::EvaluationOptions how;
    how.stop = options.stop;
    const Result<tensor::Value> value = task::evaluate(s.card, *symbols, inputs.tensors, how);
    if (!value) return value.error();
    std::vector<tensor::Tensor> tensors;
    tensor::collectTensors(*value, tensors);
    Outputs outputs;
    for (const tensor::Tensor& t : tensors)
        outputs.push_back(elementsOf(t));
    return outputs;
}

void fail(Evidence& e, const Sized& s, const Apart& worst, const Outputs& expected, const Outputs& got,
          const Options& options, std::string_view against) {
    e.outcome = Outcome::failed;
    Counterexample c;
    c.output = worst.output;
    c.element = placeOf(worst.element, s.original.at(s.original.outputs[worst.output]).extents);
    c.expected = fmt::format("{:.17g}", expected[worst.output][worst.element]);
    c.got = fmt::format("{:.17g}", got[worst.output][worst.element]);
    c.seed = options.seed;
    c.size = s.size;
    e.counterexample = c;
    e.reason = fmt::format("At {} it is {:.3g} of the largest value away from {}.", s.size, worst.distance, against);
}

} // namespace

Result<Evidence> float64Rung(const std::vector<Sized>& sizes, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    Evidence e;
    e.rung = Rung::float64;
    std::string compared, left;
    double worst = 0;
    for (const Sized& s : sizes) {
        const double most = options.mostFloat64Work * (&s == &sizes.front() ? moreWorkAtFirst : 1);
        if (algebra::evaluationWork(s.original) + algebra::evaluationWork(s.rewritten) > most) {
            left += fmt::format("{}{}", left.empty() ? "" : ", ", s.size);
            continue;
        }
        const Result<CardInputs> inputs = cardInputs(s, Drawing::asOnTheCard, options.seed);
        if (!inputs) return inputs.error();
        const Result<Outputs> card = ofCard(s, *inputs, options);
        if (!card) return card.error();
        const Result<Outputs> original = algebra::evaluate(s.original, inputs->elements, options.stop);
        if (!original) return original.error();
        const Result<Outputs> rewritten = algebra::evaluate(s.rewritten, inputs->elements, options.stop);
        if (!rewritten) return rewritten.error();
        if (!fits(*card, *original) || !fits(*original, *rewritten))
            return Error{"bad_graph", "The card, its graph and the rewritten one have outputs of different extents."};
        ++e.draws;
        compared += fmt::format("{}{}", compared.empty() ? "" : ", ", s.size);
        const std::pair<const Outputs*, std::string_view> others[] = {{&*original, "the card's graph"},
                                                                      {&*card, "what the card itself gives"}};
        double allowed = options.float64Distance;
        if (apart(*original, *rewritten).distance > allowed || apart(*card, *rewritten).distance > allowed) {
            const Result<double> moves = sensitivity(s, inputs->elements, *original, options.stop);
            if (!moves) return moves.error();
            if (roundings * *moves > mostRoundings) {
                e.remarks.push_back(fmt::format(
                    "At {} the last bit of the inputs moves the result by {:.1g} of the largest value: nothing is seen.",
                    s.size, *moves));
                --e.draws;
                continue;
            }
            allowed = std::max(allowed, roundings * *moves);
            if (allowed > options.float64Distance)
                e.remarks.push_back(
                    fmt::format("At {} a difference of {:.1g} is the inputs' last bit.", s.size, allowed));
        }
        for (const auto& [expected, what] : others) {
            const Apart found = apart(*expected, *rewritten);
            worst = std::max(worst, found.distance);
            if (!(found.distance <= allowed) && e.outcome != Outcome::failed)
                fail(e, s, found, *expected, *rewritten, options, what);
        }
        if (e.outcome == Outcome::failed) break;
    }
    e.drawn = fmt::format("the card's inputs at {}, seed {}", compared.empty() ? "no size" : compared, options.seed);
    e.covers = "These inputs alone, everything of the formulas with them.";
    e.leavesOut = "Other inputs and sizes; differences below 1e-9 of the largest value.";
    if (!left.empty()) e.remarks.push_back(fmt::format("Left out for their work: {}.", left));
    if (e.draws == 0)
        e.reason = left.empty() ? "At no size can a difference be told from rounding."
                                : "Every size is more work than is allowed.";
    else if (e.outcome != Outcome::failed) {
        e.outcome = Outcome::passed;
        e.remarks.push_back(fmt::format("Largest difference over the largest value: {:.2g}.", worst));
    }
    e.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return e;
}

} // namespace kernelarium::proof
