// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/TrivialAnswer.h"

#include <algorithm>
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
    double sum = 0;
    for (std::int64_t i = 0; i < t.count(); ++i) sum += t.at(i);
    return t.count() ? sum / double(t.count()) : 0;
}

} // namespace

std::vector<TrivialAnswer> passingTrivialAnswers(const Evidence& evidence, const CallInputs& inputs,
                                                 const tensor::Value& expected) {
    const std::vector<Tensor> outputs = flatten(expected);
    std::vector<TrivialAnswer> passing;
    const auto consider = [&](std::string what, const auto& make) {
        tensor::List candidate;
        tensor::List reference;
        for (const Tensor& output : outputs) {
            candidate.emplace_back(make(output));
            reference.emplace_back(output);
        }
        const Comparison c = compare(candidate, reference, {}, evidence.options().tolerance);
        if (c.right()) passing.push_back({std::move(what), c.rmsError});
    };
    consider("all zeros", [](const Tensor& o) { return filled(o, 0); });
    // The mean of single numbers is the answer itself, which takes the work to know.
    const bool varies = std::any_of(outputs.begin(), outputs.end(), [](const Tensor& o) { return o.count() > 1; });
    if (varies) consider("the mean everywhere", [](const Tensor& o) { return filled(o, meanOf(o)); });
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i)
        if (outputs.size() == 1 && inputs.tensors[i].count() == outputs[0].count())
            consider("a copy of " + evidence.plan().tensors[i].name,
                     [&](const Tensor& o) { return inputs.tensors[i].to(o.dtype()).reshaped(o.shape()); });
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
