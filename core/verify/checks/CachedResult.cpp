// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

namespace {
/// A call with the first inputs, then, in the same process state, one with the second: the answer must be the
/// second's.
class CachedResultCheck : public Check {
public:
    std::string_view name() const override { return "cached_result"; }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        if (!evidence.runner().capabilities().severalCalls)
            return notes.skip("This backend starts every call from fresh module state.");
        const Case* second = evidence.second();
        if (!second || !second->expected) return notes.skip("There is no second case to tell results apart.");
        Variation variation;
        variation.earlierCalls = {evidence.base().inputs.arguments};
        const Case last = evidence.makeCase(second->seed, second->inputs.tensors, variation, second->expected);
        if (last.run.end == RunEnd::timeout) return notes.skip("The time limit leaves no room for two calls.");
        if (!noteEnd(last.run, notes)) return;
        if (!last.right())
            return notes.fail(VerdictKind::suspicious, "cached_result",
                              "Right on the first call, wrong on the second call with other inputs: it keeps results "
                              "or state between calls.");
        notes.pass("Right on a second call with other inputs in the same process state.");
    }
};
} // namespace

std::unique_ptr<Check> makeCachedResultCheck() { return std::make_unique<CachedResultCheck>(); }

} // namespace kernelarium::verify
