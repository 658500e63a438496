// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
class UnwrittenCheck : public Check {
public:
    std::string_view name() const override { return "output_written"; }
    std::string_view explanation() const override {
        return "A kernel that leaves elements unwritten passes where recycled memory still holds the right answer. "
               "Here every byte knows whether it was written since it was allocated.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::wrong, "unwritten_output", ""}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        if (!evidence.options().checks || !evidence.runner().capabilities().tracksWrites)
            return notes.skip("Writes are not tracked here; the poison in fresh memory stands in for it.");
        const RunResult& run = evidence.base().run;
        if (run.leftOut) return notes.skip("Blocks were left out: unwritten elements may be theirs.");
        const std::vector<tensor::Tensor> outputs = flatten(run.output);
        for (std::size_t o = 0; o < run.firstUnwritten.size() && o < outputs.size(); ++o)
            if (run.firstUnwritten[o])
                notes.fail(VerdictKind::wrong, "unwritten_output",
                           fmt::format("Element {} of output {} (shape {}) was never written.", *run.firstUnwritten[o],
                                       o, tensor::toString(outputs[o].shape())));
        notes.pass("Every output element was written.");
    }
};
} // namespace

std::unique_ptr<Check> makeUnwrittenCheck() {
    return std::make_unique<UnwrittenCheck>();
}

} // namespace kernelarium::verify
