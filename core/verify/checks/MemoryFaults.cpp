// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Kinds that end a kernel on a real GPU, or leave its result to how long copies and products take there, whatever the
/// result here.
constexpr std::array<std::string_view, 9> deadly = {"misaligned",  "host_memory", "trap",
                                                    "deadlock",    "async_read",  "async_overwrite",
                                                    "proxy_fence", "mbarrier",    "tensor_map"};

std::string sentenceOf(const Fault& fault) {
    std::string place = fault.kernel.empty() ? "host code" : fault.kernel;
    if (fault.line > 0) place += fmt::format(", line {}", fault.line);
    return fmt::format("{} ({} times; {})", fault.message, fault.count, place);
}

class MemoryFaultsCheck : public Check {
public:
    std::string_view name() const override { return "memory_faults"; }
    std::string_view explanation() const override {
        return "Reads and writes outside an allocation may hit memory that happens to exist. Each access is checked "
               "against the allocation that it belongs to, and for alignment and initialisation.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::fault, "out_of_bounds", ""},
            {VerdictKind::fault, "misaligned", ""},
            {VerdictKind::fault, "host_memory", ""},
            {VerdictKind::fault, "device_memory", ""},
            {VerdictKind::fault, "trap", ""},
            {VerdictKind::fault, "deadlock", ""},
            {VerdictKind::fault, "async_read", "Reads what a bulk copy still brings."},
            {VerdictKind::fault, "async_overwrite",
             "Stores to what a bulk copy or a warpgroup's product may still read."},
            {VerdictKind::fault, "proxy_fence",
             "A bulk copy or a warpgroup's product reads what threads stored with no fence.proxy.async since."},
            {VerdictKind::fault, "mbarrier", "An mbarrier that is used as it cannot be: not made, too many arrivals."},
            {VerdictKind::fault, "tensor_map", "A copy through something else than a tensor map that fits it."},
            {{}, "barrier", ""},
            {{}, "warp_mask", "A shuffle or vote whose mask is not that of the lanes which execute it."},
            {{}, "read_only_path", "Reads through the read-only data path what the same launch stored."},
            {{}, "unwaited_copy", "An asynchronous copy to shared memory that nobody waited for."},
            {{},
             "product_registers",
             "Registers of a warpgroup's product that are read or changed before its wgmma.wait_group."},
            {{}, "product_fence", "A warpgroup's product that no wgmma.fence stands before."},
            {{}, "uninitialised_read", ""}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        if (!evidence.options().checks) notes.skip("Memory checks were switched off.");
        const bool right = !evidence.base().comparison || evidence.base().right();
        for (const Fault& fault : evidence.base().run.faults)
            if (fault.kind != "race") note(fault, right, notes); // races are judged by a check of their own
        if (!evidence.options().checks) return;
        if (evidence.runner().capabilities().tracksWrites)
            notes.pass("No access left its allocation and none was misaligned.");
        else
            notes.skip("Single accesses are not checked here; guard bands and the GPU's own errors stand in for this.");
    }

private:
    static void note(const Fault& fault, bool right, CheckNotes& notes) {
        const bool isDeadly = std::find(deadly.begin(), deadly.end(), fault.kind) != deadly.end();
        if (fault.leavesAllocation || isDeadly)
            notes.fail(VerdictKind::fault, fault.kind, sentenceOf(fault));
        else if (fault.kind != "uninitialised_read" || !right) // else the poison check decides on them
            notes.remark(fault.kind, sentenceOf(fault));
    }
};
} // namespace

std::unique_ptr<Check> makeMemoryFaultsCheck() {
    return std::make_unique<MemoryFaultsCheck>();
}

} // namespace kernelarium::verify
