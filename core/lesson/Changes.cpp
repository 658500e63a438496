// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Changes.h"

#include "core/files/Sha256.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::lesson {
namespace {

constexpr const char* deviceBytes = "device_bytes";

void addVerdict(const Step& step, const StepEvidence& reader, std::vector<Change>& changes) {
    const auto& kernel = step.kernel;
    if (reader.verdict.empty() || (kernel.starterVerdict == reader.verdict && kernel.starterReason.empty())) return;
    std::string before = inWords(kernel.starterVerdict);
    if (!kernel.starterReason.empty()) before += fmt::format(" ({})", inWords(kernel.starterReason));
    changes.push_back({"verdict", std::move(before), inWords(reader.verdict)});
}

void addTimes(const StepEvidence& starter, const StepEvidence& reader, std::vector<Change>& changes) {
    for (const auto& time : reader.times) {
        const auto before = std::find_if(starter.times.begin(), starter.times.end(), [&](const auto& other) {
            return other.modelled == time.modelled && other.device == time.device && other.size == time.size;
        });
        if (before == starter.times.end()) continue;
        const auto text = [](double milliseconds) { return quantities::seconds(milliseconds / 1e3); };
        changes.push_back({fmt::format("time, {} on {}", time.modelled ? "modelled" : "measured", time.device),
                           text(before->milliseconds), text(time.milliseconds)});
    }
}

void addMeasured(const StepTimes* measured, std::vector<Change>& changes) {
    if (!measured || !measured->measured.starter || !measured->measured.solution) return;
    changes.push_back({fmt::format("time of our solution, measured on {}", measured->measuredOn),
                       quantities::seconds(*measured->measured.starter),
                       quantities::seconds(*measured->measured.solution)});
}

void addBytes(const StepEvidence& starter, const StepEvidence& reader, std::vector<Change>& changes) {
    const auto before = starter.figures.find(deviceBytes);
    const auto after = reader.figures.find(deviceBytes);
    if (before == starter.figures.end() || after == reader.figures.end()) return;
    changes.push_back({"bytes to and from device memory, modelled", quantities::bytes(before->second),
                       quantities::bytes(after->second)});
}

void addCounters(const Step& step, const StepEvidence& starter, const StepEvidence& reader,
                 std::vector<Change>& changes) {
    for (const auto& condition : step.conditions) {
        const bool counted = condition.kind == Condition::Kind::counter || condition.kind == Condition::Kind::figure;
        if (!counted || condition.counter == deviceBytes) continue;
        const auto before = countOf(condition, starter);
        const auto after = countOf(condition, reader);
        if (before && after)
            changes.push_back({nameOfCount(condition), quantities::number(*before), quantities::number(*after)});
    }
}

} // namespace

std::vector<Change> changesOf(const Step& step, const StepEvidence& starter, const StepEvidence& reader,
                              const StepTimes* measured) {
    std::vector<Change> changes;
    if (!step.hasKernel) return changes;
    addVerdict(step, reader, changes);
    addTimes(starter, reader, changes);
    addMeasured(measured, changes);
    addBytes(starter, reader, changes);
    addCounters(step, starter, reader, changes);
    return changes;
}

const StepTimes* recordedFor(const Step& step) {
    if (!step.hasKernel) return nullptr;
    const auto& all = recordedTimes();
    const std::string starter = files::toHex(files::sha256(step.kernel.starter));
    const std::string solution = files::toHex(files::sha256(step.kernel.solution));
    const auto found = std::find_if(all.begin(), all.end(), [&](const StepTimes& times) {
        return times.starterHash == starter && times.solutionHash == solution && !times.measuredOn.empty();
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace kernelarium::lesson
