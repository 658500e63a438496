// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

namespace {
/// A driver with unified addressing goes by the addresses, so such kernels are right on every GPU of today.
class CopyKindsCheck : public Check {
public:
    std::string_view name() const override { return "copy_kinds"; }
    std::string_view explanation() const override {
        return "A copy says from where to where it goes. Where that does not fit its pointers, CUDA promises nothing; "
               "the driver copies by the addresses, or refuses, and the same is done here.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {{}, "copy_kind", "A copy says another direction than its pointers have; the driver goes by these."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        for (const std::string& sentence : evidence.base().run.copyKinds)
            notes.remark("copy_kind", sentence);
        notes.pass("Every copy says the direction that its pointers have.");
    }
};
} // namespace

std::unique_ptr<Check> makeCopyKindsCheck() {
    return std::make_unique<CopyKindsCheck>();
}

} // namespace kernelarium::verify
