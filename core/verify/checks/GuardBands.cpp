// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

namespace {
class GuardBandsCheck : public Check {
public:
    std::string_view name() const override { return "guard_bands"; }
    std::string_view explanation() const override {
        return "Writes just before or after an allocation damage a neighbour and go unnoticed. Each allocation lies "
               "between bands of known bytes.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::fault, "guard_band", ""}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        for (const std::string& violation : evidence.base().run.guardViolations)
            notes.fail(VerdictKind::fault, "guard_band", violation);
        notes.pass("The bytes around every allocation are untouched.");
    }
};
} // namespace

std::unique_ptr<Check> makeGuardBandsCheck() {
    return std::make_unique<GuardBandsCheck>();
}

} // namespace kernelarium::verify
