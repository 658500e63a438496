// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

std::string uninitialisedReads(const RunResult& run) {
    for (const Fault& fault : run.faults)
        if (fault.kind == "uninitialised_read") return fault.message;
    return {};
}

bool sameBits(Workplace& place, const tensor::Value& a, const tensor::Value& b) {
    const auto left = flatten(a);
    const auto right = flatten(b);
    return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(),
                                                     [&](auto& x, auto& y) { return given(place.sameBits(x, y)); });
}

/// A library may take another algorithm where memory lies elsewhere. With TF32 both are then off by far more than
/// float32 is, and by that from each other; poison, which is NaN in every floating type, would not be within any
/// tolerance. Where reads are tracked there is no need to guess.
bool onlyLessExact(Evidence& evidence, const Case& base, const Case& again) {
    return !evidence.runner().capabilities().tracksWrites && base.comparison && base.comparison->right() &&
           !base.comparison->rightStrictly() && again.comparison && again.comparison->right();
}

/// The same inputs once more with other poison at other addresses: what the kernel never wrote must not show.
class PoisonInfluenceCheck : public Check {
public:
    std::string_view name() const override { return "poison_influence"; }
    std::string_view explanation() const override {
        return "What a kernel reads and never wrote should not show. The same inputs are run again in memory filled "
               "with another pattern; the results have to agree.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::fault, "uninitialised_read", ""},
            {{},
             "benign_uninitialised_read",
             "It reads memory that was never written; the result does not depend on it."},
            {{},
             "not_repeatable",
             "Two runs with the same inputs differ in the last bits, as floating-point atomics make them."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        Variation variation;
        variation.poison = secondPoison;
        variation.addressSalt = 2;
        const Case again = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
        if (!noteEnd(again.run, notes)) return;
        const std::string reads = uninitialisedReads(base.run);
        if (sameBits(evidence.place(), base.run.output, again.run.output)) {
            if (!reads.empty()) notes.remark("benign_uninitialised_read", "The result does not depend on it: " + reads);
            return notes.pass("Bit for bit the same result with other poison at other addresses.");
        }
        if (resultsDiffer(evidence, base, again) && !onlyLessExact(evidence, base, again))
            return notes.fail(VerdictKind::fault, "uninitialised_read",
                              "The result depends on what fresh memory holds. " + reads);
        notes.remark("not_repeatable", "Two runs with the same inputs differ in the last bits that are right.");
    }
};
} // namespace

std::unique_ptr<Check> makePoisonCheck() {
    return std::make_unique<PoisonInfluenceCheck>();
}

} // namespace kernelarium::verify
