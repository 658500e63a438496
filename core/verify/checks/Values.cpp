// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
class ValuesCheck : public Check {
public:
    std::string_view name() const override { return "values"; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.comparison)
            return notes.fail(VerdictKind::unverifiable, "no_reference",
                              "There is nothing to compare with: " + evidence.whyUnverifiable());
        const Comparison& c = *base.comparison;
        if (!noteComparison(base, notes)) return;
        const Tolerance& tolerance = evidence.options().tolerance;
        if (!base.withinFloat32Noise && !c.rightStrictly())
            notes.remark("legacy_tolerance_only",
                         fmt::format("{} of {} elements are beyond {:g} but all are within {:g}; first {}.",
                                     c.beyondStrict, c.elements, tolerance.strict, tolerance.legacy,
                                     describe(*c.firstBeyondStrict)));
        if (c.unitDimensions)
            notes.remark("unit_dimensions", "The shape differs from the reference by dimensions of size 1.");
        for (const std::string& difference : c.dtypeRemarks) notes.remark("dtype", difference + ".");
        notes.pass(fmt::format("{} elements within {:g}; largest error {:.3g}, RMS error {:.3g} of {:.3g}.", c.elements,
                               tolerance.strict, c.maxAbsoluteError, c.rmsError, c.referenceRms));
    }
};
} // namespace

std::unique_ptr<Check> makeValuesCheck() { return std::make_unique<ValuesCheck>(); }

} // namespace kernelarium::verify
