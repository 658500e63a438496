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
    std::string_view explanation() const override {
        return "A launch outside the device's limits, or one that fails, leaves whatever was in memory. Every launch "
               "error is checked, also those that the host code does not ask for.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {{},
             "sampled",
             "At its full size this task would take over a minute here: a share of the blocks was executed, and what "
             "depends on these alone was compared."},
            {VerdictKind::unverifiable, "beyond_sample",
             "A share of the blocks is not enough to tell: the executed blocks need what others would have written."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& run = evidence.base().run;
        if (!noteEnd(run, notes)) return;
        if (run.leftOut) noteShare(evidence.base(), notes);
        const std::uint64_t launches = run.launches.size() + run.unsaid.launches;
        notes.pass(fmt::format("forward returned after {} launch{}.", launches, launches == 1 ? "" : "es"));
    }
};
} // namespace

std::unique_ptr<Check> makeFinishesCheck() {
    return std::make_unique<FinishesCheck>();
}

} // namespace kernelarium::verify
