// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/LaunchFilter.h"

#include "core/perf/DeviceSpec.h"
#include "core/tuning/launch/LaunchRefusal.h"
#include "core/tuning/space/PointText.h"

#include <algorithm>

namespace kernelarium::protocol {

namespace {

perf::MultiprocessorLimits limitsFor(const PointSettings& settings) {
    if (settings.run.backend != "cuda") {
        const perf::DeviceSpec* device = perf::findDeviceSpec(settings.device);
        return device != nullptr ? device->limits : perf::MultiprocessorLimits();
    }
    perf::MultiprocessorLimits most;
    for (const perf::DeviceSpec& device : perf::deviceSpecs()) {
        if (!settings.arch.starts_with(device.arch)) continue; // "sm_90a"
        most.threadsPerBlock = std::max(most.threadsPerBlock, device.limits.threadsPerBlock);
        most.sharedBytesPerBlock = std::max(most.sharedBytesPerBlock, device.limits.sharedBytesPerBlock);
    }
    return most;
}

/// Whether no tensor of the task is empty at any of the sizes.
bool inputsHaveElements(const PointSettings& settings) {
    if (!settings.run.card) return false;
    for (const std::string& size : sizesOf(settings)) {
        const Result<task::Symbols> symbols = settings.run.card->size(size);
        if (!symbols) return false;
        const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(*settings.run.card, *symbols);
        if (!shapes) return false;
        for (const tensor::Shape& shape : *shapes)
            if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 1; })) return false;
    }
    return true;
}

} // namespace

tuning::Filter launchFilter(const tuning::TunableText& tunable, const PointSettings& settings) {
    return [&tunable, &settings, haveElements = inputsHaveElements(settings),
            limits = limitsFor(settings)](const tuning::Candidate& candidate) -> std::optional<std::string> {
        const auto point = tunable.space.pointOf(candidate.key);
        if (!point) return std::nullopt; // the evaluation says so
        const auto made = tuning::pointText(tunable, *point, settings.compiler, settings.fastMath);
        return tuning::launchRefusal(made.text, made.settings, limits, settings.run.function, haveElements);
    };
}

} // namespace kernelarium::protocol
