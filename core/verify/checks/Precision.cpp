// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Errors against those that a plain float32 evaluation makes: half or TF32 arithmetic shows here, tolerance or not.
class PrecisionCheck : public Check {
public:
    std::string_view name() const override { return "precision"; }
    std::string_view explanation() const override {
        return "Half precision or tensor cores are faster and less exact. The error is compared with that of a plain "
               "float32 evaluation, and matrix instructions are named.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {{},
             "lower_precision",
             "Its error is many times that of a plain float32 evaluation: lower precision or a rougher formula."},
            {{}, "tensor_cores", "Its kernels use matrix instructions, whose factors have fewer bits than float32."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.comparison) return notes.skip("There is no reference.");
        if (!base.right()) return notes.skip("Already decided.");
        const tensor::DType type = evidence.narrowestOutput();
        const std::vector<std::string>& types = base.run.tensorCoreTypes;
        if (!types.empty() && type == tensor::DType::Float32)
            notes.remark("tensor_cores",
                         fmt::format("Its kernels multiply matrices on the tensor cores, factors in {}.",
                                     fmt::join(types, ", ")));
        if (!evidence.options().checks) return notes.skip("Checks were switched off.");
        const std::optional<tensor::Value> plain = evidence.float32Answer(base.inputs);
        if (!plain) return notes.skip("The reference has no float32 form.");
        const Comparison baseline = evidence.compareWith(*plain, *base.expected);
        const double own = base.comparison->rmsError;
        // The result of a float16 task is rounded to float16, however exactly it was computed.
        const bool narrow = type != tensor::DType::Float32;
        const double rounding = tensor::unitRoundoff(type) / std::sqrt(3.0); // RMS of an even error in +-u
        const double least = std::max(smallestBaseline, narrow ? rounding : 0) * base.comparison->referenceRms;
        const double ratio = own / std::max(baseline.rmsError, least);
        const std::string figures =
            fmt::format("RMS error {:.3g}, that of a plain float32 evaluation {:.3g}.", own, baseline.rmsError);
        if (own > 0 && ratio > (narrow ? mostTimesRounding : mostTimes)) notes.remark("lower_precision", figures);
        notes.pass(figures);
    }

private:
    static constexpr double smallestBaseline = 6e-8; ///< half a unit in the last place of a float32 near 1
    static constexpr double mostTimes = 32;
    static constexpr double mostTimesRounding = 4; ///< of results that end in half precision: they all have that error
};
} // namespace

std::unique_ptr<Check> makePrecisionCheck() {
    return std::make_unique<PrecisionCheck>();
}

} // namespace kernelarium::verify
