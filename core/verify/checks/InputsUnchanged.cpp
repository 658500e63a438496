// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include "core/verify/TensorHash.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Hashes of what went in against hashes of what was there afterwards.
class InputsUnchangedCheck : public Check {
public:
    std::string_view name() const override { return "inputs_unchanged"; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        std::vector<tensor::Tensor> before;
        for (const tensor::Value& argument : base.inputs.arguments) tensor::collectTensors(argument, before);
        const std::vector<tensor::Tensor>& after = base.run.argumentsAfter;
        if (after.size() != before.size()) return notes.skip("The backend does not give the arguments back.");
        for (std::size_t i = 0; i < before.size(); ++i)
            if (hashOf(before[i]) != hashOf(after[i]))
                notes.fail(VerdictKind::suspicious, "changes_input",
                           fmt::format("Input tensor {} ({}) is not what it was before the call.", i,
                                       nameOf(evidence, before[i])));
        notes.pass(fmt::format("{} input tensors have the hashes they had before.", before.size()));
    }

private:
    static std::string nameOf(Evidence& evidence, const tensor::Tensor& tensor) {
        const std::vector<tensor::Tensor>& drawn = evidence.base().inputs.tensors;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if (drawn[i].bytes().data() == tensor.bytes().data()) return evidence.plan().tensors[i].name;
        return "unnamed";
    }
};
} // namespace

std::unique_ptr<Check> makeInputsUnchangedCheck() { return std::make_unique<InputsUnchangedCheck>(); }

} // namespace kernelarium::verify
