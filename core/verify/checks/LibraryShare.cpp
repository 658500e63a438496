// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/PhysicalFloor.h"
#include "core/quantities/Quantities.h"
#include "core/verify/Check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace kernelarium::verify {

namespace {

/// Library calls that only make, move or describe tensors: they are not work taken off the kernel.
constexpr std::array<std::string_view, 22> bookkeeping = {
    "empty", "empty_like", "zeros",   "zeros_like", "ones",    "ones_like", "full", "full_like",
    "to",    "contiguous", "clone",   "view",       "reshape", "transpose", "t",    "permute",
    "size",  "detach",     "squeeze", "unsqueeze",  "expand",  "as_strided"};

/// "aten.conv2d.default" -> "conv2d"
std::string_view operatorName(std::string_view call) {
    if (call.starts_with("aten.")) call.remove_prefix(5);
    return call.substr(0, call.find('.'));
}

bool computes(std::string_view call) {
    std::string_view op = operatorName(call);
    if (call.starts_with("cuda") || call.starts_with("torch.") || call.starts_with("py.")) return false;
    while (op.ends_with('_'))
        op.remove_suffix(1);
    if (op.starts_with("new_") || op.starts_with("_to_copy")) return false;
    return std::find(bookkeeping.begin(), bookkeeping.end(), op) == bookkeeping.end();
}

/// "97.3% of the floating-point operations in aten.conv2d, 2.7% in its own kernels"
std::string shares(const WorkDone& work) {
    const perf::FloorWork sums = perf::floorWork(0, work.launches, work.library);
    const double own = sums.fp32 + sums.fp64 + sums.fp16 + sums.tensor;
    const double all = own + sums.library;
    if (all <= 0) return {};
    std::map<std::string, double> byCall;
    for (const perf::LibraryCall& call : work.library)
        byCall[call.name] += call.flops;
    std::vector<std::pair<double, std::string>> parts = {{own, "its own kernels"}};
    for (const auto& [name, flops] : byCall)
        if (flops > 0) parts.emplace_back(flops, name);
    std::sort(parts.begin(), parts.end(), std::greater<>());
    std::vector<std::string> words;
    for (const auto& [flops, name] : parts)
        words.push_back(fmt::format("{} in {}", quantities::percent(flops / all), name));
    return fmt::format(" Of {} at the {} size {}.", quantities::si(all, "FLOP"), work.published ? "published" : "given",
                       fmt::join(words, ", "));
}

/// Which part of the work ran in its own kernels and which in library calls.
class LibraryShareCheck : public Check {
public:
    std::string_view name() const override { return "library_calls"; }
    std::string_view explanation() const override {
        return "A kernel may leave the work to PyTorch or cuBLAS. The floating-point operations of its own kernels and "
               "of library calls are counted.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {{VerdictKind::suspicious, "no_gpu_work", ""},
                                         {{}, "only_library_calls", "It launches no kernel of its own."},
                                         {{}, "library_calls", "Part of the work is done by library calls."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& run = evidence.base().run;
        std::vector<std::string> names;
        for (const std::string& call : run.libraryCalls)
            if (computes(call) && std::find(names.begin(), names.end(), call) == names.end()) names.push_back(call);
        if (names.empty() && run.launches.empty() && evidence.base().comparison)
            return notes.fail(
                VerdictKind::suspicious, "no_gpu_work",
                "It launches no kernel and calls no library: the answer was computed on the host, or not at all.");
        const std::uint64_t launches = run.launches.size() + run.unsaid.launches;
        if (names.empty())
            return notes.pass(fmt::format("All work on the device is done in {} launch{} of its own.", launches,
                                          launches == 1 ? "" : "es"));
        const std::string listed = fmt::format("{}", fmt::join(names, ", "));
        if (run.launches.empty())
            return notes.remark("only_library_calls",
                                "It launches no kernel of its own; the work is done by " + listed + ".");
        const WorkDone* work = evidence.options().checks && evidence.affordable() ? evidence.workDone() : nullptr;
        notes.remark("library_calls",
                     "Part of the work is done by library calls: " + listed + "." + (work ? shares(*work) : ""));
    }
};
} // namespace

std::unique_ptr<Check> makeLibraryShareCheck() {
    return std::make_unique<LibraryShareCheck>();
}

} // namespace kernelarium::verify
