// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantities/Quantities.h"
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// A task that takes too long here is judged by what a share of its blocks computes.
void noteShare(const Case& base, CheckNotes& notes) {
    const LeftOut& left = *base.run.leftOut;
    const std::string blocks = fmt::format("{} of {} of the long launches were executed",
                                           quantities::count(left.executed), quantities::counted(left.blocks, "block"));
    if (!base.share) return notes.remark("sampled", blocks + ".");
    if (base.share->known == 0)
        return notes.fail(VerdictKind::unverifiable, "beyond_sample",
                          blocks + ": no element of the output follows from them alone.");
    notes.remark("sampled", describe(*base.share));
}

class FinishesCheck : public Check {
public:
    std::string_view name() const override { return "finishes"; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& run = evidence.base().run;
        if (!noteEnd(run, notes)) return;
        if (run.leftOut) noteShare(evidence.base(), notes);
        notes.pass(fmt::format("forward returned after {} launch{}.", run.launches.size(),
                               run.launches.size() == 1 ? "" : "es"));
    }
};
} // namespace

std::unique_ptr<Check> makeFinishesCheck() {
    return std::make_unique<FinishesCheck>();
}

} // namespace kernelarium::verify
