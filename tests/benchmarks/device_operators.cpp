// SPDX-License-Identifier: GPL-3.0-or-later
// What our own kernels cost before they run: compiling and assembling those of one task's graph at full size,
// from nothing, and what share of two seconds that is. Arguments: tasks ("1/1"); without any, a few of each
// kind.
#include "gpu/operators/DeviceGraph.h"
#include "gpu/operators/PlanningMachine.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

using namespace kernelarium;

namespace {

double secondsOf(const std::vector<operators::Kernel>& kernels, bool cubin) {
    auto library = operators::KernelLibrary::create(compile::Toolkit::find());
    if (!library) {
        std::fputs((library.error().text() + "\n").c_str(), stderr);
        return -1;
    }
    struct Bare : operators::PlanningMachine {
        using PlanningMachine::PlanningMachine;
        [[nodiscard]] bool has(std::string_view) const override { return false; }
    };
    Bare machine({"bare", "sm_90", cubin, 132});
    const auto start = std::chrono::steady_clock::now();
    const Result<void> done = (*library)->prepare(machine, kernels);
    if (!done) std::fputs((done.error().text() + done.error().detail + "\n").c_str(), stderr);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const task::TaskKey& key) {
    const auto card = task::loadCard(key.level, key.task);
    if (!card) return;
    const auto plan =
        operators::planGraph(*card, *card->size("full"), tensor::DType::Float32, {"cuda", "sm_90", true, 132});
    if (!plan) {
        fmt::print("{:>6} {}\n", card->key(), plan.error().text());
        return;
    }
    const double ptx = secondsOf(plan->kernels, false), cubin = secondsOf(plan->kernels, true);
    fmt::print("{:>6} {:3} kernels: PTX {:.2f} s, with cubin {:.2f} s ({:.0f}% of 2 s)\n", card->key(),
               plan->kernels.size(), ptx, cubin, cubin * 50);
}

} // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (const auto key = task::parseTaskKey(argv[i])) report(*key);
    if (argc > 1) return 0;
    for (const task::TaskKey& key : {task::TaskKey{1, 1}, {1, 23}, {1, 56}, {2, 3}, {2, 22}, {3, 9}, {3, 30}, {3, 36}})
        report(key);
}
