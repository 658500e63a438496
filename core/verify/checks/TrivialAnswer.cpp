// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/checks/TrivialAnswer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

using tensor::Tensor;

/// Elements that are looked at before the whole is compared.
constexpr std::int64_t looked = 4096;

Sampling spread(const Tensor& t) {
    const std::int64_t step = std::max<std::int64_t>(1, t.count() / looked);
    return {0, step, (t.count() + step - 1) / step};
}

/// Whether elements spread over the output already rule the answer out: nearly always they do, and the whole need not
/// be compared. Leaves room for the rounding to the output's type.
bool isRuledOut(const std::vector<double>& answer, const std::vector<double>& output, double scale, double tolerance) {
    constexpr double room = 1.01;
    for (std::size_t i = 0; i < output.size(); ++i) {
        if (!std::isfinite(answer[i]) || !std::isfinite(output[i])) continue;
        if (std::abs(answer[i] - output[i]) > room * tolerance * (scale + std::abs(output[i]))) return true;
    }
    return false;
}

/// The reference's outputs as they are compared with every trivial answer.
struct LookedAt {
    Tensor output;
    std::vector<double> elements; ///< none of whole numbers: these are compared whole
    double scale = 0;
};

std::vector<LookedAt> lookAt(Workplace& place, const std::vector<Tensor>& outputs) {
    std::vector<LookedAt> all;
    for (const Tensor& output : outputs) {
        LookedAt one{output, {}, 0};
        if (tensor::isFloating(output.dtype())) {
            one.elements = given(place.elements(output, spread(output)));
            one.scale = std::max(given(place.rms(output)), Tolerance::smallestScale);
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace

std::vector<TrivialAnswer> passingTrivialAnswers(const Evidence& evidence, const CallInputs& inputs,
                                                 const tensor::Value& expected) {
    Workplace& place = evidence.place();
    const std::vector<Tensor> outputs = flatten(expected);
    const std::vector<LookedAt> looks = lookAt(place, outputs);
    std::vector<TrivialAnswer> passing;
    const Tolerance& tolerance = evidence.options().tolerance;
    const auto consider = [&](std::string what, const auto& elementsOf, const auto& make) {
        tensor::List candidate;
        for (const LookedAt& look : looks)
            if (isRuledOut(elementsOf(look), look.elements, look.scale, tolerance.legacy)) return;
        for (const Tensor& output : outputs)
            candidate.emplace_back(given(make(output)));
        const Comparison c =
            given(place.compare(candidate, tensor::List(outputs.begin(), outputs.end()), {}, tolerance));
        if (c.right()) passing.push_back({std::move(what), c.rmsError});
    };
    const auto considerNumber = [&](std::string what, const auto& numberOf) {
        consider(
            std::move(what),
            [&](const LookedAt& l) { return std::vector<double>(l.elements.size(), numberOf(l.output)); },
            [&](const Tensor& o) { return place.filled(o, numberOf(o)); });
    };
    considerNumber("all zeros", [](const Tensor&) { return 0.0; });
    // The mean of single numbers is the answer itself, which takes the work to know.
    const bool varies = std::any_of(outputs.begin(), outputs.end(), [](const Tensor& o) { return o.count() > 1; });
    if (varies) considerNumber("the mean everywhere", [&](const Tensor& o) { return given(place.mean(o)); });
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i)
        if (const Tensor& input = inputs.tensors[i]; outputs.size() == 1 && input.count() == outputs[0].count())
            consider(
                "a copy of " + evidence.plan().tensors[i].name,
                [&](const LookedAt& l) {
                    return l.elements.empty() ? l.elements : given(place.elements(input, spread(l.output)));
                },
                [&](const Tensor& o) { return place.converted(input, o.dtype(), o.shape()); });
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
    notes.fail(
        VerdictKind::wrong, "trivial_answer",
        fmt::format("Within the tolerance, but so is {}: its RMS error is {:.3g}, that of {} {:.3g}, rounding in "
                    "float32 {:.3g}.",
                    answer.what, error, answer.what, answer.rmsError, contrast.float32Rms));
    return false;
}

} // namespace kernelarium::verify
