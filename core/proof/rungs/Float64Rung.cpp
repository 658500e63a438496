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
        if (algebra::evaluationWork(s.original) + algebra::evaluationWork(s.rewritten) > options.mostFloat64Work) {
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
        for (const auto& [expected, what] : others) {
            const Apart found = apart(*expected, *rewritten);
            worst = std::max(worst, found.distance);
            if (!(found.distance <= options.float64Distance) && e.outcome != Outcome::failed)
                fail(e, s, found, *expected, *rewritten, options, what);
        }
        if (e.outcome == Outcome::failed) break;
    }
    e.drawn = fmt::format("the card's inputs at {}, seed {}", compared.empty() ? "no size" : compared, options.seed);
    e.covers = "These inputs alone, everything of the formulas with them.";
    e.leavesOut = "Other inputs and sizes; differences below 1e-9 of the largest value.";
    if (!left.empty()) e.remarks.push_back(fmt::format("Left out for their work: {}.", left));
    if (e.draws == 0)
        e.reason = "Every size is more work than is allowed.";
    else if (e.outcome != Outcome::failed) {
        e.outcome = Outcome::passed;
        e.remarks.push_back(fmt::format("Largest difference over the largest value: {:.2g}.", worst));
    }
    e.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return e;
}

} // namespace kernelarium::proof
