// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include "core/verify/TensorHash.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Hashes of what went in against hashes of what was there afterwards.
class InputsUnchangedCheck : public Check {
public:
    std::string_view name() const override { return "inputs_unchanged"; }
    std::string_view explanation() const override {
        return "A kernel that overwrites its inputs changes what a reference computed afterwards gives, and then "
               "agrees with it. The reference has its own copies, and the inputs are hashed before and after.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "changes_input", ""},
            {{}, "updates_statistics", "It updates running statistics, as the task itself does."},
            {{}, "running_statistics", "It leaves other running statistics than the task does."},
            {{}, "restores_input", "It copies into an input, which afterwards is what it was."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        std::vector<tensor::Tensor> before;
        for (const tensor::Value& argument : base.inputs.arguments)
            tensor::collectTensors(argument, before);
        const std::vector<tensor::Tensor>& after = base.run.argumentsAfter;
        if (after.size() != before.size()) return notes.skip("The backend does not give the arguments back.");
        const std::vector<std::size_t>& outputs = base.run.updatedArguments;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (std::find(outputs.begin(), outputs.end(), i) != outputs.end())
                continue;
            else if (!sameElements(before[i], after[i]))
                note(evidence, i, before[i], after[i], notes);
            else if (const auto& restored = base.run.host.restored;
                     std::find(restored.begin(), restored.end(), i) != restored.end())
                notes.remark("restores_input",
                             fmt::format("It copies into input tensor {}, which afterwards is what it was before: who "
                                         "else reads it meanwhile sees something else.",
                                         i));
        notes.pass(before.size() == 1
                       ? "The input tensor has the hash that it had before."
                       : fmt::format("{} input tensors have the hashes they had before.", before.size()));
    }

private:
    /// A runner gives the very tensor back where nothing changed, and one without elements where it saw elsewhere that
    /// something did.
    static bool sameElements(const tensor::Tensor& before, const tensor::Tensor& after) {
        return before.sharesElements(after) || (before.defined() && after.defined() && hashOf(before) == hashOf(after));
    }
    static void note(Evidence& evidence, std::size_t place, const tensor::Tensor& tensor, const tensor::Tensor& after,
                     CheckNotes& notes) {
        const std::vector<tensor::Tensor>& drawn = evidence.base().inputs.tensors;
        std::size_t i = 0;
        while (i < drawn.size() && !drawn[i].sharesElements(tensor))
            ++i;
        const TensorPlan plan = i < drawn.size() ? evidence.plan().tensors[i] : TensorPlan{};
        if (plan.updatedByTask) {
            notes.remark("updates_statistics", fmt::format("It updates {}, as the task itself does.", plan.name));
            holdStatistics(evidence, i, plan.name, after, notes);
        } else
            notes.fail(VerdictKind::suspicious, "changes_input",
                       fmt::format("Input tensor {} ({}) is not what it was before the call.", place, plan.name));
    }

    /// Against what the task leaves there, where that is known and the elements are here.
    static void holdStatistics(Evidence& evidence, std::size_t i, const std::string& called,
                               const tensor::Tensor& after, CheckNotes& notes) {
        const std::vector<tensor::Tensor>& updated = evidence.updatedByTask();
        if (i >= updated.size() || !updated[i].defined() || !after.defined() || after.elsewhere()) return;
        const Comparison found =
            compare(tensor::Value(after), tensor::Value(updated[i]), {after.dtype()}, evidence.options().tolerance);
        if (found.rightStrictly()) return;
        notes.remark("running_statistics",
                     found.structureError.empty()
                         ? fmt::format("{} of {} elements of {} are not what the task leaves there, by up to {:.3g}; "
                                       "first {}.",
                                       found.beyondStrict, found.elements, called, found.maxAbsoluteError,
                                       describe(*found.firstBeyondStrict))
                         : found.structureError + ".");
    }
};
} // namespace

std::unique_ptr<Check> makeInputsUnchangedCheck() {
    return std::make_unique<InputsUnchangedCheck>();
}

} // namespace kernelarium::verify
