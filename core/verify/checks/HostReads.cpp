// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Copies that go on while host code runs are held back until something waits for them.
class HostReadsCheck : public Check {
public:
    std::string_view name() const override { return "host_reads"; }
    std::string_view explanation() const override {
        return "A copy from the device to page-locked memory goes on while host code runs: what is read before "
               "something waits for it may be what was there before. Such copies are held back until then: the "
               "result must not change.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::fault, "early_host_read",
                                          "Host code reads what a copy brings without waiting for the copy."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        const std::size_t copies = base.run.host.asynchronousCopies;
        if (copies == 0) return notes.pass("Host code waits for whatever is copied from the device.");
        if (!evidence.runner().capabilities().reordersStreams)
            return notes.skip("This backend ends every copy before host code goes on.");
        Variation variation;
        variation.lateCopies = true;
        const Case late = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
        if (late.run.end == RunEnd::timeout) return notes.skip("The time limit leaves no room for it.");
        if (late.run.end != RunEnd::finished)
            return notes.fail(VerdictKind::fault, "early_host_read",
                              fmt::format("Host code reads what an asynchronous copy brings without waiting for the "
                                          "copy: with what was there before, forward does not finish: {}",
                                          late.run.reason));
        if (resultsDiffer(evidence, base, late))
            return notes.fail(VerdictKind::fault, "early_host_read",
                              "Host code reads what an asynchronous copy brings without waiting for the copy: with "
                              "what was there before, the result differs.");
        notes.pass(fmt::format("{} asynchronous cop{} to page-locked memory may end late: the result does not change.",
                               copies, copies == 1 ? "y" : "ies"));
    }
};
} // namespace

std::unique_ptr<Check> makeHostReadsCheck() {
    return std::make_unique<HostReadsCheck>();
}

} // namespace kernelarium::verify
