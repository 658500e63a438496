// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
class SecondSeedCheck : public Check {
public:
    std::string_view name() const override { return "second_seed"; }
    std::string_view explanation() const override {
        return "A kernel may hold the answer to the inputs that it was tested with. It is run again with other inputs, "
               "at other addresses, in memory filled with another pattern.";
    }
    bool runsKernel() const override { return true; }
    bool alwaysRuns() const override { return true; }
    const Case* judged(Evidence& evidence) const override { return evidence.second(); }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& second = evidence.makeSecond();
        if (!noteEnd(second.run, notes)) return;
        if (!second.comparison) return notes.skip("There is no reference.");
        if (!noteComparison(second, notes)) return;
        notes.pass(fmt::format("Right with seed {} too, other poison and other addresses; largest error {:.3g}.",
                               second.seed, second.comparison->maxAbsoluteError));
    }
};
} // namespace

std::unique_ptr<Check> makeSecondSeedCheck() {
    return std::make_unique<SecondSeedCheck>();
}

} // namespace kernelarium::verify
