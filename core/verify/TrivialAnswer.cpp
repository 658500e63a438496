// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/TrivialAnswer.h"

#include "core/verify/Chunks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

using tensor::Tensor;

Tensor filled(const Tensor& like, double value) {
    Tensor t(like.dtype(), like.shape());
    for (std::int64_t i = 0; i < t.count(); ++i) t.set(i, value);
    return t;
}

double meanOf(const Tensor& t) {
    const auto sumOf = [&](std::int64_t from, std::int64_t to) {
        double sum = 0;
        for (std::int64_t i = from; i < to; ++i) sum += t.at(i);
        return sum;
    };
    double sum = 0;
    for (const double part : chunkwise<double>(t.count(), sumOf)) sum += part;
    return t.count() ? sum / double(t.count()) : 0;
}

/// An answer's elements, before a tensor is made of them.
using ElementOf = std::function<double(std::int64_t)>;

/// Whether some elements, spread over the output, already rule the answer out: nearly always they do, and the whole
/// need not be compared. Leaves room for the rounding to the output's type.
bool isRuledOut(const Tensor& output, const ElementOf& element, const Tolerance& tolerance) {
    constexpr std::int64_t looked = 4096;
    constexpr double room = 1.01;
    if (!tensor::isFloating(output.dtype())) return false;
    const double scale = std::max(rootMeanSquare(output), Tolerance::smallestScale);
    const std::int64_t step = std::max<std::int64_t>(1, output.count() / looked);
    for (std::int64_t i = 0; i < output.count(); i += step) {
        const double answer = element(i), right = output.at(i);
        if (!std::isfinite(answer) || !std::isfinite(right)) continue;
        if (std::abs(answer - right) > room * tolerance.legacy * (scale + std::abs(right))) return true;
    }
    return false;
}

} // namespace

std::vector<TrivialAnswer> passingTrivialAnswers(const Evidence& evidence, const CallInputs& inputs,
                                                 const tensor::Value& expected) {
    const std::vector<Tensor> outputs = flatten(expected);
    std::vector<TrivialAnswer> passing;
    const Tolerance& tolerance = evidence.options().tolerance;
    const auto consider = [&](std::string what, const auto& elementsOf, const auto& make) {
        tensor::List candidate;
        for (const Tensor& output : outputs)
            if (isRuledOut(output, elementsOf(output), tolerance)) return;
        for (const Tensor& output : outputs) candidate.emplace_back(make(output));
        const Comparison c = compare(candidate, tensor::List(outputs.begin(), outputs.end()), {}, tolerance);
        if (c.right()) passing.push_back({std::move(what), c.rmsError});
    };
    const auto considerNumber = [&](std::string what, const auto& numberOf) {
        consider(
            std::move(what), [&](const Tensor& o) -> ElementOf { return [n = numberOf(o)](std::int64_t) { return n; }; },
            [&](const Tensor& o) { return filled(o, numberOf(o)); });
    };
    considerNumber("all zeros", [](const Tensor&) { return 0.0; });
    // The mean of single numbers is the answer itself, which takes the work to know.
    const bool varies = std::any_of(outputs.begin(), outputs.end(), [](const Tensor& o) { return o.count() > 1; });
    if (varies) considerNumber("the mean everywhere", meanOf);
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i)
        if (const Tensor& input = inputs.tensors[i]; outputs.size() == 1 && input.count() == outputs[0].count())
            consider(
                "a copy of " + evidence.plan().tensors[i].name,
                [&](const Tensor&) -> ElementOf { return [&input](std::int64_t e) { return input.at(e); }; },
                [&](const Tensor& o) { return input.to(o.dtype()).reshaped(o.shape()); });
    return passing;
}

Contrast contrastOf(Evidence& evidence, const CallInputs& inputs, const tensor::Value& expected,
                    const TrivialAnswer& answer) {
    constexpr double nearer = 10;
    constexpr double usualRounding = 1e-5; // of the RMS, where there is nothing to measure it with
    const std::optional<tensor::Value> plain = evidence.float32Answer(inputs);
    const double error = plain ? evidence.compareWith(*plain, expected).rmsError
                               : usualRounding * evidence.compareWith(expected, expected).referenceRms;
    return {answer.rmsError > 0 && nearer * error < answer.rmsError, error};
}

bool noteSkill(const Case& c, const TrivialAnswer& answer, const Contrast& contrast, CheckNotes& notes) {
    constexpr double mostShare = 0.5;
    constexpr double halfPrecision = 2e-3; // of the RMS; float16 rounds by 4.9e-4, TF32 by as much
    if (!contrast.told || !c.comparison) return true;
    const double error = c.comparison->rmsError;
    if (error <= mostShare * answer.rmsError || error <= halfPrecision * c.comparison->referenceRms) return true;
    notes.fail(VerdictKind::wrong, "trivial_answer",
               fmt::format("Within the tolerance, but so is {}: its RMS error is {:.3g}, that of {} {:.3g}, rounding in "
                           "float32 {:.3g}.",
                           answer.what, error, answer.what, answer.rmsError, contrast.float32Rms));
    return false;
}

} // namespace kernelarium::verify
