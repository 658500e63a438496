// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"
#include "core/verify/inputs/UnevenPlan.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// A reduction over independent draws of one distribution is nearly a constant, and nearly the reduction over a part of
/// them: a kernel may use either and stay within the tolerance. Here the inputs' statistics are others, and differ from
/// place to place.
class UnevenInputsCheck : public Check {
public:
    std::string_view name() const override { return "uneven_inputs"; }
    std::string_view explanation() const override {
        return "Of many independent numbers the mean, the spread and the largest are known without looking at them, "
               "and so are those of a part of them. It is run with inputs that grow towards their ends and are of one "
               "sign each.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "assumes_inputs",
             "Right only with inputs whose statistics are those of the tested ones."},
            {{},
             "overflows",
             "With inputs some five times as large its results are not finite, where the reference's are."},
            {{}, "uneven_precision", "Less exact with inputs that are not all alike."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.expected) return notes.skip("There is no reference.");
        CallInputs inputs;
        if (!drawUneven(evidence, inputs)) return notes.skip("No input is drawn at random from a range of numbers.");
        inputs.arguments = argumentsOf(evidence.plan(), inputs.tensors);
        std::optional<tensor::Value> expected = evidence.expectedFor(inputs);
        if (!expected || !isFinite(evidence, *expected))
            return notes.skip("The task has no finite answer to such inputs.");
        Variation variation;
        variation.addressSalt = 6;
        const Case c = evidence.makeCase(base.seed, std::move(inputs.tensors), variation, std::move(expected));
        if (c.run.end == RunEnd::timeout || c.run.end == RunEnd::out_of_memory)
            return notes.skip("The limits leave no room for another run.");
        if (!noteEnd(c.run, notes)) return;
        judge(evidence, base, c, notes);
    }

private:
    static constexpr double leastGrowth = 10; ///< of the error, over that with the inputs as drawn

    /// Whether there was anything to change.
    static bool drawUneven(Evidence& evidence, CallInputs& inputs) {
        std::vector<TensorPlan> plans = evidence.plan().tensors;
        const bool any = makeUneven(plans);
        for (std::size_t i = 0; i < plans.size(); ++i)
            inputs.tensors.push_back(given(evidence.place().draw(plans[i], i, evidence.options().seed, 0)));
        return any;
    }

    static bool isFinite(Evidence& evidence, const tensor::Value& value) {
        const auto outputs = flatten(value);
        return std::all_of(outputs.begin(), outputs.end(),
                           [&](const tensor::Tensor& t) { return given(evidence.place().allFinite(t)); });
    }

    static double relativeError(const Case& c) {
        constexpr double rounding = 1e-7;
        const double rms = c.comparison->referenceRms;
        return std::max(rounding, rms > 0 ? c.comparison->rmsError / rms : c.comparison->rmsError);
    }

    static void judge(Evidence& evidence, const Case& base, const Case& c, CheckNotes& notes) {
        const Comparison& found = *c.comparison;
        if (c.right())
            return notes.pass(fmt::format(
                "Right with inputs that grow towards their ends and are of one sign each; largest error {:.3g}.",
                found.maxAbsoluteError));
        if (!found.structureError.empty()) {
            noteComparison(c, notes);
            return;
        }
        const std::string where = found.firstBeyondLegacy ? describe(*found.firstBeyondLegacy) + "." : "";
        if (!isFinite(evidence, c.run.output))
            return notes.remark("overflows",
                                "With inputs up to some five times as large it gives numbers that are not finite: " +
                                    where);
        const double before = relativeError(base), now = relativeError(c);
        if (now > leastGrowth * before)
            return notes.fail(
                VerdictKind::suspicious, "assumes_inputs",
                fmt::format(
                    "With inputs that grow towards their ends and are of one sign each its error is {:.3g} of the "
                    "reference's RMS, and {:.3g} with the tested ones: {}",
                    now, before, where));
        notes.remark(
            "uneven_precision",
            fmt::format("With inputs that grow towards their ends and are of one sign each its error is {:.3g} of the "
                        "reference's RMS: {}",
                        now, where));
    }
};
} // namespace

std::unique_ptr<Check> makeUnevenInputsCheck() {
    return std::make_unique<UnevenInputsCheck>();
}

} // namespace kernelarium::verify
