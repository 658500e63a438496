// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/checks/TrivialAnswer.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Where a trivial answer passes and cannot be told from a right one (the reference is the same number everywhere, or
/// nothing), inputs and parameters are drawn under which it does not, and the kernel has to be right there.
class StrongerInputsCheck : public Check {
public:
    std::string_view name() const override { return "stronger_inputs"; }
    std::string_view explanation() const override {
        return "Parameters that are 1 or 0 everywhere, or outputs that cancel to nothing, hide mistakes. Where that "
               "makes a trivial answer as good as the right one, inputs and parameters are drawn for which it is not.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "weak_inputs_only",
             "Right only with inputs for which a trivial answer is right as well."},
            {{}, "weak_task", "With these inputs an answer that needs no work would pass."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.expected) return notes.skip("There is no reference.");
        if (!isIndistinct(evidence, base.inputs, *base.expected))
            return notes.pass("Not needed: with the inputs as drawn, a right answer can be told from a trivial one.");
        if (const std::string& why = evidence.options().whyWeak; !why.empty())
            return notes.remark("weak_task", "The task is weak by construction: " + why);
        for (const double factor : {1.0, 4.0, 16.0}) {
            if (!evidence.affordable()) return notes.skip("The time limit leaves no room for another run.");
            CallInputs inputs;
            inputs.tensors = stronger(evidence, factor);
            inputs.arguments = argumentsOf(evidence.plan(), inputs.tensors);
            std::optional<tensor::Value> expected = evidence.expectedFor(inputs);
            if (!expected || !isFinite(evidence, *expected) || isIndistinct(evidence, inputs, *expected)) continue;
            return judge(evidence, std::move(inputs.tensors), std::move(*expected), factor, notes);
        }
        notes.remark("weak_task", "No inputs were found for which a trivial answer would fail: the task hardly tells a "
                                  "right kernel from a wrong one.");
    }

private:
    static bool isIndistinct(Evidence& evidence, const CallInputs& inputs, const tensor::Value& expected) {
        const std::vector<TrivialAnswer> answers = passingTrivialAnswers(evidence, inputs, expected);
        return std::any_of(answers.begin(), answers.end(), [&](const TrivialAnswer& answer) {
            return !contrastOf(evidence, inputs, expected, answer).told;
        });
    }

    static bool isFinite(Evidence& evidence, const tensor::Value& expected) {
        const auto outputs = flatten(expected);
        return std::all_of(outputs.begin(), outputs.end(),
                           [&](const tensor::Tensor& t) { return given(evidence.place().allFinite(t)); });
    }

    /// Another draw, constants moved, with every floating tensor made larger.
    static std::vector<tensor::Tensor> stronger(Evidence& evidence, double factor) {
        std::vector<tensor::Tensor> tensors = evidence.draw(evidence.options().seed, 2);
        for (tensor::Tensor& t : tensors)
            if (factor != 1 && tensor::isFloating(t.dtype())) t = given(evidence.place().scaled(t, factor));
        return tensors;
    }

    static void judge(Evidence& evidence, std::vector<tensor::Tensor> tensors, tensor::Value expected, double factor,
                      CheckNotes& notes) {
        Variation variation;
        variation.addressSalt = 5;
        const Case c = evidence.makeCase(evidence.options().seed, std::move(tensors), variation, std::move(expected));
        if (c.run.end == RunEnd::timeout) return notes.skip("The time limit leaves no room for another run.");
        if (!noteEnd(c.run, notes)) return;
        const std::string inputs =
            factor == 1 ? "With its constants moved" : fmt::format("With inputs {:g} times as large", factor);
        if (!c.right())
            return notes.fail(VerdictKind::suspicious, "weak_inputs_only",
                              inputs + ", where a trivial answer fails, it is wrong: " +
                                  (c.comparison->firstBeyondLegacy ? describe(*c.comparison->firstBeyondLegacy)
                                                                   : c.comparison->structureError) +
                                  ".");
        for (const TrivialAnswer& answer : passingTrivialAnswers(evidence, c.inputs, *c.expected))
            if (!noteSkill(c, answer, contrastOf(evidence, c.inputs, *c.expected, answer), notes)) return;
        notes.pass(inputs + " a trivial answer fails, and it is right.");
    }
};
} // namespace

std::unique_ptr<Check> makeStrongerInputsCheck() {
    return std::make_unique<StrongerInputsCheck>();
}

} // namespace kernelarium::verify
