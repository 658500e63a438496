// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

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
        if (!shape) return notes.skip("The card has no other shape to try.");
        VerifyOptions options = evidence.options();
        options.place = nullptr; // its reference takes tensors in this process's memory, and they are small
        Evidence other(evidence.runner(), shape->reference.get(), shape->plan, options);
        const Case& c = other.base();
        switch (c.run.end) {
        case RunEnd::finished: break;
        case RunEnd::host_exception: return notes.pass("It refuses size " + shape->size + ": " + c.run.reason);
        case RunEnd::timeout: return notes.skip("The time limit leaves no room for size " + shape->size + ".");
        default: return specific(*shape, c.run.reason, notes);
        }
        for (const Fault& fault : c.run.faults)
            if (fault.leavesAllocation) return specific(*shape, fault.message, notes);
        if (!c.comparison) return notes.skip("There is no reference at size " + shape->size + ".");
        if (!c.right())
            return specific(*shape,
                            c.comparison->structureError.empty() ? describe(*c.comparison->firstBeyondLegacy)
                                                                 : c.comparison->structureError,
                            notes);
        notes.pass("Right at size " + shape->size + " too.");
    }

private:
    static void specific(const OtherShape& shape, const std::string& what, CheckNotes& notes) {
        notes.remark("shape_specific", fmt::format("Not right at size {}: {}", shape.size, what));
    }
};
} // namespace

std::unique_ptr<Check> makeOtherShapeCheck() {
    return std::make_unique<OtherShapeCheck>();
}

} // namespace kernelarium::verify
