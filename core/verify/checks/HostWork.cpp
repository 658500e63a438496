// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantities/Quantities.h"
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

std::int64_t elementsOf(const std::vector<tensor::Tensor>& tensors) {
    std::int64_t elements = 0;
    for (const tensor::Tensor& t : tensors)
        if (t.defined() || t.elsewhere()) elements += t.count();
    return elements;
}

/// How much of the work host code does: it has to have read elements of tensors, so that sizes, strides, tables and
/// single numbers never count.
class HostWorkCheck : public Check {
public:
    std::string_view name() const override { return "host_work"; }
    std::string_view explanation() const override {
        return "A kernel may copy its inputs to the CPU, compute there, and launch something that only copies. What "
               "host code reads back from the device is counted, and the instructions that it executes.";
    }
    std::span<const Reason> reasons() const override {
        constexpr std::string_view readsBack = "Host code works on elements that it read back from the device.";
        static constexpr Reason all[] = {{VerdictKind::suspicious, "host_work", readsBack},
                                         {{}, "host_work", readsBack}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        const HostWork& host = base.run.host;
        if (host.bytesRead < leastBytes || host.instructions < leastInstructions)
            return notes.pass("Host code does not work on elements of tensors.");
        const double share = shareOf(base);
        const std::string sentence = fmt::format(
            "Host code reads {} back from the device and executes {} instructions, {} of all that the call "
            "takes{}.",
            quantities::bytes(double(host.bytesRead)), quantities::si(double(host.instructions), ""),
            quantities::percent(share), counted(base.run) ? "" : ", one for each element counted for the device");
        if (share >= largeShare && base.comparison && base.run.libraryCalls.empty())
            return notes.fail(VerdictKind::suspicious, "host_work", sentence);
        if (share >= smallShare) return notes.remark("host_work", sentence);
        notes.pass(sentence);
    }

private:
    static constexpr std::uint64_t leastBytes = 1024;
    static constexpr std::uint64_t leastInstructions = 20'000; ///< more than PyTorch's own functions take in a call
    static constexpr double largeShare = 0.15;
    static constexpr double smallShare = 0.01;

    static std::uint64_t onDevice(const RunResult& run) {
        std::uint64_t instructions = 0;
        for (const Launch& launch : run.launches)
            instructions += launch.threadInstructions;
        return instructions + run.unsaid.threadInstructions;
    }
    static bool counted(const RunResult& run) { return onDevice(run) > 0; }

    /// Of the instructions of all threads; where the backend does not count those, one for each element that goes in or
    /// comes out stands for them.
    static double shareOf(const Case& c) {
        double others = double(onDevice(c.run));
        if (others == 0) {
            others = double(elementsOf(c.inputs.tensors));
            if (c.expected) others += double(elementsOf(flatten(*c.expected)));
        }
        return double(c.run.host.instructions) / (double(c.run.host.instructions) + others);
    }
};
} // namespace

std::unique_ptr<Check> makeHostWorkCheck() {
    return std::make_unique<HostWorkCheck>();
}

} // namespace kernelarium::verify
