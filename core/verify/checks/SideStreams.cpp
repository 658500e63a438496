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
    void run(Evidence& evidence, CheckNotes& notes) override {
        const StreamUse& use = evidence.base().run.streams;
        for (const std::string& sentence : use.unjoined)
            notes.fail(VerdictKind::suspicious, "side_stream", sentence);
        if (use.unjoined.empty() && use.sideStreams > 0)
            notes.remark("side_streams",
                         fmt::format("It works on {} streams besides the caller's; all of their work is "
                                     "waited for.",
                                     use.sideStreams));
        notes.pass("All work is on the caller's stream.");
    }
};
} // namespace

std::unique_ptr<Check> makeSideStreamsCheck() {
    return std::make_unique<SideStreamsCheck>();
}

} // namespace kernelarium::verify
