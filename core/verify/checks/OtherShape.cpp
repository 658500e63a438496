// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::verify {

namespace {

/// The inputs' extents, each shape once: "3 x 97 and 97 x 5". Of a call that has parameters only, theirs.
std::string extentsOf(const InputPlan& plan) {
    const bool hasInputs = std::any_of(plan.tensors.begin(), plan.tensors.end(),
                                       [](const TensorPlan& t) { return !t.isParameter && !t.shape.empty(); });
    std::vector<std::string> texts;
    for (const TensorPlan& t : plan.tensors) {
        if (t.shape.empty() || (hasInputs && t.isParameter)) continue;
        std::string text = fmt::format("{}", fmt::join(t.shape, " x "));
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
    return texts.empty() ? "another size" : fmt::format("{}", fmt::join(texts, " and "));
}

/// A task asks for its own shapes only, so what fails at others is a remark: kernels that assume a multiple of
/// their block size, or the tested shape itself. Refusing other shapes is honest and passes.
class OtherShapeCheck : public Check {
public:
    std::string_view name() const override { return "other_shape"; }
    std::string_view explanation() const override {
        return "A kernel may be right at the tested shapes only. It is tried at a size that no usual block size "
               "divides; failing there is a remark, since a task asks for its own shapes.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{{}, "shape_specific", "Not right at another size than the task's own."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const OtherShape* shape = evidence.options().otherShape;
        if (!shape) return notes.skip("No other shape is tried beside this size.");
        const std::string extents = extentsOf(shape->plan);
        VerifyOptions options = evidence.options();
        options.place = nullptr; // its reference takes tensors in this process's memory, and they are small
        Evidence other(evidence.runner(), shape->reference.get(), shape->plan, options);
        const Case& c = other.base();
        switch (c.run.end) {
        case RunEnd::finished: break;
        case RunEnd::host_exception: return notes.pass("It refuses " + extents + ": " + c.run.reason);
        case RunEnd::timeout: return notes.skip("The time limit leaves no room for " + extents + ".");
        default: return specific(extents, c.run.reason, notes);
        }
        for (const Fault& fault : c.run.faults)
            if (fault.leavesAllocation) return specific(extents, fault.message, notes);
        if (!c.comparison) return notes.skip("There is no reference at " + extents + ".");
        if (!c.right())
            return specific(extents,
                            c.comparison->structureError.empty() ? describe(*c.comparison->firstBeyondLegacy)
                                                                 : c.comparison->structureError,
                            notes);
        notes.pass("Right at " + extents + " too.");
    }

private:
    static void specific(const std::string& extents, const std::string& what, CheckNotes& notes) {
        notes.remark("shape_specific", fmt::format("Not right at {}: {}", extents, what));
    }
};
} // namespace

std::unique_ptr<Check> makeOtherShapeCheck() {
    return std::make_unique<OtherShapeCheck>();
}

} // namespace kernelarium::verify
