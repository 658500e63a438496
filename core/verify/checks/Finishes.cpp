// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
class FinishesCheck : public Check {
public:
    std::string_view name() const override { return "finishes"; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& run = evidence.base().run;
        if (noteEnd(run, notes))
            notes.pass(fmt::format("forward returned after {} launches.", run.launches.size()));
    }
};
} // namespace

std::unique_ptr<Check> makeFinishesCheck() { return std::make_unique<FinishesCheck>(); }

} // namespace kernelarium::verify
