// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/PhysicalFloor.h"
#include "core/quantities/Quantities.h"
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// A claimed time against what the device could do at best with the operations that the kernel executes itself: one
/// that does less than its reference may honestly be faster than the reference's own bound.
class PhysicalFloorCheck : public Check {
public:
    std::string_view name() const override { return "physical_floor"; }
    std::string_view explanation() const override {
        return "No code is faster than moving the bytes that it cannot avoid, or than the operations that it executes. "
               "A claimed time below that bound was not measured as it should be.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {{}, "below_physical_floor", "The claimed time is below what the device could reach."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const std::optional<ClaimedTime>& claim = evidence.options().claim;
        if (!claim || claim->seconds <= 0) return notes.skip("No time is claimed for it.");
        const PublishedSize* published = evidence.options().published;
        if (!published) return notes.skip("Without a card the unavoidable bytes are not known.");
        // Where even the reference's operations leave room, the kernel's own need not be counted.
        const perf::FloorWork reference{.compulsoryBytes = published->compulsoryBytes, .fp32 = published->flops};
        const perf::PhysicalFloor byCard = perf::physicalFloor(reference, claim->device);
        if (claim->seconds >= byCard.seconds) return pass(*claim, byCard, "with the reference's operations", notes);
        const WorkDone* work = evidence.affordable() ? evidence.workDone() : nullptr;
        if (!work || !work->published) return notes.skip("Its operations at the published size could not be counted.");
        const perf::FloorWork own = perf::floorWork(published->compulsoryBytes, work->launches, work->library);
        const perf::PhysicalFloor floor = perf::physicalFloor(own, claim->device);
        if (claim->seconds >= floor.seconds) return pass(*claim, floor, "with its own operations", notes);
        notes.remark(
            "below_physical_floor",
            fmt::format("{} claims {}; {} allows no less than {} ({}: {} that cannot be avoided, {} executed).",
                        claim->source, quantities::seconds(claim->seconds, 4), claim->device.name,
                        quantities::seconds(floor.seconds, 4), floor.limiter, quantities::bytes(own.compulsoryBytes),
                        quantities::si(own.fp32 + own.fp64 + own.fp16 + own.tensor + own.library, "FLOP")));
    }

private:
    static void pass(const ClaimedTime& claim, const perf::PhysicalFloor& floor, const char* with, CheckNotes& notes) {
        notes.pass(fmt::format("{} claims {}, {} times what {} needs at least {} ({}).", claim.source,
                               quantities::seconds(claim.seconds, 4),
                               quantities::number(floor.seconds > 0 ? claim.seconds / floor.seconds : 0.0),
                               claim.device.name, with, floor.limiter));
    }
};
} // namespace

std::unique_ptr<Check> makePhysicalFloorCheck() {
    return std::make_unique<PhysicalFloorCheck>();
}

} // namespace kernelarium::verify
