// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

namespace {
/// Launches on several streams that no event and no wait puts in order may run in any: those that nothing orders are
/// executed in the contrary order, and the result has to stay.
class StreamOrderCheck : public Check {
public:
    std::string_view name() const override { return "stream_order"; }
    std::string_view explanation() const override {
        return "Launches on different streams overlap unless an event or a wait puts them in order, and in a quiet "
               "moment the right one may still come first. Those that nothing orders are executed in the opposite "
               "order: the result must not change.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::fault, "stream_race",
                                          "Launches on different streams that have to be in order, and are not."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (base.run.streams.sideStreams == 0) return notes.pass("All work is on the caller's stream.");
        if (!evidence.runner().capabilities().reordersStreams)
            return notes.skip("This backend keeps to the program's order.");
        Variation variation;
        variation.contraryStreams = true;
        const Case again = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
        if (!noteEnd(again.run, notes)) return;
        if (resultsDiffer(evidence, base, again))
            return notes.fail(VerdictKind::fault, "stream_race",
                              "Launches on different streams are not ordered: in another order that events and waits "
                              "allow, the result differs.");
        notes.pass("The result does not change when unordered launches are executed in the opposite order.");
    }
};
} // namespace

std::unique_ptr<Check> makeStreamOrderCheck() {
    return std::make_unique<StreamOrderCheck>();
}

} // namespace kernelarium::verify
