// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

using tensor::Tensor;
using tensor::Value;

/// How an output moved, and how far that is from how the reference moved.
struct Movement {
    double reference = 0;  ///< RMS of the reference's movement over its RMS
    double output = 0;     ///< RMS of the output's movement over the reference's RMS
    double difference = 0; ///< RMS of (output's movement - reference's) over the reference's RMS
};

/// Of outputs `from` to `to` beside the reference's.
Movement movement(const Evidence& evidence, const Value& from, const Value& to, const Case& base, const Case& moved) {
    const auto out0 = flatten(from);
    const auto out1 = flatten(to);
    const auto ref0 = flatten(*base.expected);
    const auto ref1 = flatten(*moved.expected);
    MovementSums all;
    for (std::size_t o = 0; o < ref0.size() && o < out1.size() && o < out0.size() && o < ref1.size(); ++o) {
        const MovementSums one = given(evidence.place().movement(out0[o], out1[o], ref0[o], ref1[o]));
        all.reference += one.reference;
        all.output += one.output;
        all.difference += one.difference;
        all.scale += one.scale;
    }
    const double scale = all.scale == 0 ? 1 : all.scale;
    return {std::sqrt(all.reference / scale), std::sqrt(all.output / scale), std::sqrt(all.difference / scale)};
}

/// Moves one tensor at a time: what the reference feels, the kernel must feel, even far below the tolerance.
class PerturbationCheck : public Check {
public:
    std::string_view name() const override { return "perturbation"; }
    std::string_view explanation() const override {
        return "A kernel may leave out an input or a weight that hardly matters with the tested values. Each tensor is "
               "moved in turn: the result has to move as the reference moves, also far below the tolerance.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::suspicious, "ignores_input",
                                          "The result does not move with an input as the reference does."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        if (!base.expected) return notes.skip("There is no reference.");
        const std::size_t count = evidence.plan().tensors.size();
        std::size_t tried = 0;
        std::vector<std::string> unfelt;
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t t = 0; t < count && tried < evidence.options().mostPerturbed; ++t) {
            if (!evidence.affordable()) break;
            if (tried >= leastTried && std::chrono::steady_clock::now() - start > mostTime) break;
            ++tried;
            if (!moveOne(evidence, t, unfelt, notes)) return;
        }
        if (tried == 0) return notes.skip("The time limit leaves no room for another run.");
        std::string detail = fmt::format("{} of {} tensors moved in turn", tried, count);
        if (!unfelt.empty())
            detail += fmt::format("; float32 arithmetic itself hardly feels {}", fmt::join(unfelt, ", "));
        notes.pass(detail + ".");
    }

private:
    static constexpr std::size_t leastTried = 3;       ///< the inputs come first
    static constexpr std::chrono::seconds mostTime{4}; ///< after these
    static constexpr double floatNoise = 1e-5;         ///< movements below this are not told from rounding
    static constexpr double mostDifference = 0.5;
    static constexpr double halfPrecision = 4e-3; ///< what float16 or TF32 arithmetic may do to a movement

    /// Movements of rounding alone, over the reference's RMS. The kernel's own error is not a measure of it: it may be
    /// what is looked for.
    static double noise(Evidence& evidence) {
        const Case& base = evidence.base();
        if (base.withinFloat32Noise) return 1;
        const std::optional<tensor::Value> plain = evidence.float32Answer(base.inputs);
        if (!plain || base.comparison->referenceRms <= 0) return halfPrecision;
        const double error = evidence.compareWith(*plain, *base.expected).rmsError / base.comparison->referenceRms;
        return std::max(halfPrecision, 20 * error);
    }

    /// False when the kernel failed and going on is pointless.
    static bool moveOne(Evidence& evidence, std::size_t t, std::vector<std::string>& unfelt, CheckNotes& notes) {
        const Case& base = evidence.base();
        const TensorPlan& plan = evidence.plan().tensors[t];
        std::vector<Tensor> tensors = base.inputs.tensors;
        tensors[t] = given(evidence.place().draw(plan, t, base.seed, 1));
        Variation variation;
        variation.addressSalt = 3 + t;
        const Case moved = evidence.makeCase(base.seed, std::move(tensors), variation);
        if (moved.run.end == RunEnd::timeout) return true; // the limit covers all runs; the first ones made it
        if (!noteEnd(moved.run, notes)) return false;
        if (!moved.expected || !moved.comparison->structureError.empty()) return true;
        const Movement m = movement(evidence, base.run.output, moved.run.output, base, moved);
        if (m.reference < floatNoise) {
            unfelt.push_back(plan.name);
            return true;
        }
        if (m.output == 0) {
            if (isOfFloat32(evidence, moved, m)) return noteUnfelt(plan, unfelt);
            notes.fail(VerdictKind::suspicious, "ignores_input",
                       fmt::format("The output does not move with {}; the reference moves by {:.3g} of its RMS.",
                                   plan.name, m.reference));
            return false;
        }
        if (!noteComparison(moved, notes)) return false;
        if (m.difference > mostDifference * m.reference && m.difference > noise(evidence)) {
            if (isOfFloat32(evidence, moved, m)) return noteUnfelt(plan, unfelt);
            notes.fail(VerdictKind::suspicious, "ignores_input",
                       fmt::format("With {} moved, the output moves by {:.3g} of the RMS where the reference moves by "
                                   "{:.3g}.",
                                   plan.name, m.output, m.reference));
        }
        return true;
    }

    static bool noteUnfelt(const TensorPlan& plan, std::vector<std::string>& unfelt) {
        unfelt.push_back(plan.name);
        return true;
    }

    /// Whether a plain float32 evaluation misses the reference's movement as widely: a deep network may round it away,
    /// or blow rounding up to its size.
    static bool isOfFloat32(Evidence& evidence, const Case& moved, const Movement& kernel) {
        constexpr double mostTimes = 4; // two honest float32 evaluations differ in the order of their sums
        const std::optional<Value> from = evidence.float32Answer(evidence.base().inputs);
        const std::optional<Value> to = from ? evidence.float32Answer(moved.inputs) : std::nullopt;
        if (!to) return false;
        const Movement plain = movement(evidence, *from, *to, evidence.base(), moved);
        return plain.difference > mostDifference * plain.reference && kernel.difference <= mostTimes * plain.difference;
    }
};
} // namespace

std::unique_ptr<Check> makePerturbationCheck() {
    return std::make_unique<PerturbationCheck>();
}

} // namespace kernelarium::verify
