// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/checks/TrivialAnswer.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Where an answer that needs no work is right, being right says little; being no better than it says more.
class TrivialAnswersCheck : public Check {
public:
    std::string_view name() const override { return "trivial_answers"; }
    std::string_view explanation() const override {
        return "Where zeros, a constant or a copy of an input are within the tolerance, being within it says little. "
               "The kernel's error is then compared with that of the trivial answer.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::wrong, "trivial_answer",
             "Within the tolerance, but hardly closer to the truth than an answer that needs no work."},
            {{}, "weak_task", "With these inputs an answer that needs no work would pass."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.expected) return notes.skip("There is no reference.");
        for (const TrivialAnswer& answer : passingTrivialAnswers(evidence, base.inputs, *base.expected)) {
            const Contrast contrast = contrastOf(evidence, base.inputs, *base.expected, answer);
            if (base.right() && !noteSkill(base, answer, contrast, notes)) return;
            notes.remark(
                "weak_task",
                fmt::format("With these inputs {} would pass too (RMS error {:.3g}); this kernel's RMS error is "
                            "{:.3g}, that of a plain float32 evaluation {:.3g}.",
                            answer.what, answer.rmsError, base.comparison->rmsError, contrast.float32Rms));
        }
        notes.pass("Neither zeros, nor the mean, nor a copy of an input would pass.");
    }
};
} // namespace

std::unique_ptr<Check> makeTrivialAnswersCheck() {
    return std::make_unique<TrivialAnswersCheck>();
}

} // namespace kernelarium::verify
