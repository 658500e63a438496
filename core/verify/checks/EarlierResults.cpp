// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Looks at the runs that cached_result made: what their earlier calls returned is somebody's, and has to stay.
class EarlierResultsCheck : public Check {
public:
    std::string_view name() const override { return "earlier_results"; }
    std::string_view explanation() const override {
        return "A kernel may return the same memory with every call, which saves an allocation and changes, under its "
               "owner, what an earlier call returned; or it may return an input where that is right already. Earlier "
               "results are kept and looked at after a later call.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "overwrites_result", "A later call changes what an earlier one returned."},
            {VerdictKind::suspicious, "returns_input",
             "With some inputs it returns one of them, with others it does not."},
            {{}, "returns_kept_result", "Several calls return the same memory: it keeps results."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        if (const std::optional<std::size_t> input = evidence.sometimesReturned())
            return notes.fail(
                VerdictKind::suspicious, "returns_input",
                fmt::format("With some values the output lies in the memory of input tensor {}, with others "
                            "of the same shapes in memory of its own.",
                            *input));
        const std::vector<ReusedOutput>* reused = evidence.reusedOutputs();
        if (!reused) return notes.skip("There was no run of several calls.");
        const auto changed =
            std::find_if(reused->begin(), reused->end(), [](const ReusedOutput& o) { return o.changed; });
        if (changed != reused->end())
            return notes.fail(VerdictKind::suspicious, "overwrites_result",
                              fmt::format("Output {} of call {} is no longer what that call returned after later "
                                          "calls: they write into the same memory.",
                                          changed->output, changed->call));
        if (!reused->empty())
            notes.remark("returns_kept_result",
                         fmt::format("The memory of output {} of call {} is returned by a later call with the same "
                                     "inputs, too: it keeps results, and times of repeated calls are not those of "
                                     "its work.",
                                     reused->front().output, reused->front().call));
        notes.pass("What earlier calls returned is the same after later ones.");
    }
};
} // namespace

std::unique_ptr<Check> makeEarlierResultsCheck() {
    return std::make_unique<EarlierResultsCheck>();
}

} // namespace kernelarium::verify
