// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/CardReferences.h"

#include "core/task/Cost.h"
#include "gpu/operators/DeviceReference.h"
#include "gpu/service/GpuTarget.h"

#include <algorithm>

namespace kernelarium::service {

bool isWorkForGpu(const task::Card& card, const std::string& size, unsigned jobs) {
    // What the CPU's evaluator does in a second with one thread, roughly; a verification evaluates some ten times, and
    // compiling the kernels of a graph takes some tenths of a second once.
    constexpr double flopsPerSecond = 2e9, bytesPerSecond = 1e9, worthwhile = 0.05;
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return false;
    const Result<task::Cost> cost = task::costOf(card, *symbols);
    if (!cost) return false;
    return cost->flops / (flopsPerSecond * std::max(jobs, 1u)) + cost->unfusedBytes / bytesPerSecond > worthwhile;
}

Result<ChosenReference> referenceFor(task::Card card, const std::string& size, unsigned jobs, GpuTarget* gpu) {
    ChosenReference chosen;
    if (gpu && isWorkForGpu(card, size, jobs)) {
        auto onGpu = gpu->makeReference(card, size, jobs);
        if (onGpu) return ChosenReference{std::move(*onGpu), gpu->workplace(), {}};
        if (onGpu.error().code != "missing_component") return onGpu.error();
        chosen.remark = "The reference was evaluated on the CPU: " + onGpu.error().message;
    }
    auto onCpu = verify::CardReference::create(std::move(card), size, jobs);
    if (!onCpu) return onCpu.error();
    chosen.reference = std::move(*onCpu);
    return chosen;
}

} // namespace kernelarium::service
