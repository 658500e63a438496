// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

namespace {
/// Ghost replay: with its kernels doing nothing, the answer must be gone.
class IdleKernelsCheck : public Check {
public:
    std::string_view name() const override { return "idle_kernels"; }
    std::string_view explanation() const override {
        return "A kernel may launch something for show while the answer comes from elsewhere. Its launches are "
               "skipped: the answer has to be gone.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "idle_kernels", "The answer is right even when its kernels do nothing."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.expected) return notes.skip("There is no reference.");
        if (base.run.launches.empty()) return notes.skip("It launches no kernel.");
        if (!evidence.runner().capabilities().skipsLaunches)
            return notes.skip("This backend cannot leave kernels out.");
        Variation variation;
        variation.skipLaunches = true;
        const Case ghost = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
        const bool unaffected = ghost.run.end == RunEnd::finished && ghost.right();
        if (unaffected)
            return notes.fail(VerdictKind::suspicious, "idle_kernels",
                              "The answer is right even when its kernels do nothing.");
        notes.pass("Without its kernels the answer is gone.");
    }
};
} // namespace

std::unique_ptr<Check> makeIdleKernelsCheck() {
    return std::make_unique<IdleKernelsCheck>();
}

} // namespace kernelarium::verify
