// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Work on another stream that nothing waits for escapes the events that time a call, and may not be done when the
/// result is read.
class SideStreamsCheck : public Check {
public:
    std::string_view name() const override { return "side_streams"; }
    std::string_view explanation() const override {
        return "Work on another stream is not covered by the events that time a call, and may not be done when its "
               "result is read. The order that streams, events and waits give is followed.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "side_stream", "Work on another stream that nothing waits for."},
            {{}, "side_streams", "It uses other streams, and waits for them."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const StreamUse& use = evidence.base().run.streams;
        for (const std::string& sentence : use.unjoined)
            notes.fail(VerdictKind::suspicious, "side_stream", sentence);
        if (use.unjoined.empty() && use.sideStreams > 0)
            notes.remark("side_streams",
                         fmt::format("It works on {} streams besides the caller's; all of their work is waited for.",
                                     use.sideStreams));
        notes.pass("All work is on the caller's stream.");
    }
};
} // namespace

std::unique_ptr<Check> makeSideStreamsCheck() {
    return std::make_unique<SideStreamsCheck>();
}

} // namespace kernelarium::verify
