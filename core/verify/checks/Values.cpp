// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
class ValuesCheck : public Check {
public:
    std::string_view name() const override { return "values"; }
    std::string_view explanation() const override {
        return "Every element is compared with a float64 evaluation of the task. The tolerance is scaled to the "
               "reference's root mean square, so that small numbers are not lost in an absolute one. NaN is right only "
               "where the reference is NaN.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::unverifiable, "no_reference", ""},
            {{}, "legacy_tolerance_only", "Within 1e-2 but not within 1e-4 of the reference."},
            {{}, "unit_dimensions", "The shape differs from the reference's by dimensions of size 1."},
            {{}, "dtype", ""}};
        return all;
    }
    const Case* judged(Evidence& evidence) const override { return &evidence.base(); }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.comparison)
            return notes.fail(VerdictKind::unverifiable, "no_reference",
                              "There is nothing to compare with: " + evidence.whyUnverifiable());
        const Comparison& c = *base.comparison;
        if (const std::string where = outputOnCpu(base.run); !where.empty())
            return notes.fail(VerdictKind::wrong, "structure", where);
        if (!noteComparison(base, notes)) return;
        const Tolerance& tolerance = evidence.options().tolerance;
        if (!base.withinFloat32Noise && !c.rightStrictly())
            notes.remark("legacy_tolerance_only",
                         fmt::format("{} of {} elements are beyond {:g} but all are within {:g}; first {}.",
                                     c.beyondStrict, c.elements, tolerance.strict, tolerance.legacy,
                                     describe(*c.firstBeyondStrict)));
        if (c.unitDimensions)
            notes.remark("unit_dimensions", "The shape differs from the reference by dimensions of size 1.");
        for (const std::string& difference : c.dtypeRemarks)
            notes.remark("dtype", difference + "; torch.allclose refuses to compare the two.");
        notes.pass(fmt::format("{} elements within {:g}; largest error {:.3g}, RMS error {:.3g} of {:.3g}.", c.elements,
                               tolerance.strict, c.maxAbsoluteError, c.rmsError, c.referenceRms));
    }

private:
    /// A tensor of the CPU cannot be compared with the reference's, which is the GPU's; a number (no dimensions) can.
    static std::string outputOnCpu(const RunResult& run) {
        for (std::size_t i = 0; i < run.outputPlaces.size(); ++i)
            if (run.outputPlaces[i].elementBytes == 0 && !run.outputPlaces[i].sizes.empty())
                return fmt::format("Output {} lies in the CPU's memory; the reference's is on the GPU.", i);
        return {};
    }
};
} // namespace

std::unique_ptr<Check> makeValuesCheck() {
    return std::make_unique<ValuesCheck>();
}

} // namespace kernelarium::verify
