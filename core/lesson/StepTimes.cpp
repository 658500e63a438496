// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/StepTimes.h"

#include "core/files/Sha256.h"
#include "core/lesson/BuiltInFiles.h"
#include "core/lesson/Evaluation.h"
#include "core/perf/DeviceSpec.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

using nlohmann::json;

constexpr double leastDifference = 0.01; ///< of a time, to call one of two shorter
constexpr double sure = 0.95;

Order orderOf(const StarterAndSolution& times) {
    const auto gain = times.gain();
    if (!gain) return Order::unknown;
    if (*gain > 1 + leastDifference) return Order::solutionFaster;
    return *gain < 1 - leastDifference ? Order::starterFaster : Order::undecided;
}

json orNull(const std::optional<double>& value) {
    return value ? json(*value) : json(nullptr);
}

json pairToJson(const StarterAndSolution& times) {
    return {{"starter", orNull(times.starter)}, {"solution", orNull(times.solution)}, {"gain", orNull(times.gain())}};
}

std::optional<double> numberFrom(const json& from, const char* key) {
    const auto found = from.find(key);
    return found == from.end() || found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

StarterAndSolution pairFromJson(const json& from) {
    return {numberFrom(from, "starter"), numberFrom(from, "solution")};
}

std::string_view word(Order order) {
    switch (order) {
    case Order::unknown: return "unknown";
    case Order::undecided: return "undecided";
    case Order::solutionFaster: return "solution faster";
    case Order::starterFaster: return "starter faster";
    }
    return "unknown";
}

StepTimes fromJson(const json& from) {
    StepTimes times;
    times.lesson = from.at("lesson");
    times.step = from.at("step");
    times.device = from.at("device");
    times.size = from.at("size");
    times.starterHash = from.at("starter_sha256");
    times.solutionHash = from.at("solution_sha256");
    times.modelled = pairFromJson(from.at("modelled_seconds"));
    times.measured = pairFromJson(from.at("measured_seconds"));
    times.solutionIsFaster = numberFrom(from, "solution_is_faster");
    times.measuredOn = from.value("measured_on", std::string());
    times.measuredAtMs = from.value("measured_at_ms", std::int64_t(0));
    times.problems = from.value("problems", std::vector<std::string>());
    return times;
}

} // namespace

std::optional<double> StarterAndSolution::gain() const {
    if (!starter || !solution || *solution <= 0) return std::nullopt;
    return *starter / *solution;
}

Order modelledOrder(const StepTimes& times) {
    return orderOf(times.modelled);
}

Order measuredOrder(const StepTimes& times) {
    const Order order = orderOf(times.measured);
    if (!times.solutionIsFaster || order == Order::unknown) return order;
    const double faster = *times.solutionIsFaster;
    if (order == Order::solutionFaster) return faster >= sure ? order : Order::undecided;
    if (order == Order::starterFaster) return 1 - faster >= sure ? order : Order::undecided;
    return order;
}

std::string_view agreement(const StepTimes& times) {
    const Order modelled = modelledOrder(times);
    const Order measured = measuredOrder(times);
    if (modelled == Order::unknown || measured == Order::unknown) return "unknown";
    if (modelled == measured) return "agree";
    return modelled == Order::undecided || measured == Order::undecided ? "undecided" : "differ";
}

std::vector<StepTimes> stepsWithTimes(std::span<const Lesson> lessons) {
    std::vector<StepTimes> all;
    for (const auto& lesson : lessons)
        for (const auto& step : lesson.steps)
            for (const auto& condition : needsOf(step).times) {
                const perf::DeviceSpec* spec = perf::findDeviceSpec(condition.device);
                StepTimes times;
                times.lesson = lesson.id;
                times.step = step.id;
                times.device = spec ? spec->id : condition.device;
                times.size = condition.size;
                const bool known = std::any_of(all.begin(), all.end(), [&](const StepTimes& other) {
                    return other.lesson == times.lesson && other.step == times.step && other.device == times.device &&
                           other.size == times.size;
                });
                if (known) continue;
                times.starterHash = files::toHex(files::sha256(step.kernel.starter));
                times.solutionHash = files::toHex(files::sha256(step.kernel.solution));
                all.push_back(std::move(times));
            }
    return all;
}

const std::vector<StepTimes>& recordedTimes() {
    static const std::vector<StepTimes> recorded = [] {
        for (const auto& file : builtInFiles()) {
            if (!file.lesson.empty() || file.name != "times.json") continue;
            if (auto read = stepTimesFromJson(json::parse(file.text, nullptr, false))) return std::move(*read);
        }
        return std::vector<StepTimes>();
    }();
    return recorded;
}

void takeRecorded(StepTimes& times, std::span<const StepTimes> recorded) {
    if (times.measured.starter || times.measured.solution) return;
    const auto found = std::find_if(recorded.begin(), recorded.end(), [&](const StepTimes& other) {
        return other.starterHash == times.starterHash && other.solutionHash == times.solutionHash &&
               other.size == times.size && !other.measuredOn.empty();
    });
    if (found == recorded.end()) return;
    times.measured = found->measured;
    times.solutionIsFaster = found->solutionIsFaster;
    times.measuredOn = found->measuredOn;
    times.measuredAtMs = found->measuredAtMs;
    times.recorded = true;
}

json toJson(std::span<const StepTimes> all) {
    json steps = json::array();
    for (const auto& times : all)
        steps.push_back({{"lesson", times.lesson},
                         {"step", times.step},
                         {"device", times.device},
                         {"size", times.size},
                         {"starter_sha256", times.starterHash},
                         {"solution_sha256", times.solutionHash},
                         {"modelled_seconds", pairToJson(times.modelled)},
                         {"modelled_order", word(modelledOrder(times))},
                         {"measured_seconds", pairToJson(times.measured)},
                         {"measured_order", word(measuredOrder(times))},
                         {"solution_is_faster", orNull(times.solutionIsFaster)},
                         {"measured_on", times.measuredOn},
                         {"measured_at_ms", times.measuredAtMs},
                         {"recorded", times.recorded},
                         {"orders", agreement(times)},
                         {"problems", times.problems}});
    return {{"format", 1}, {"steps", std::move(steps)}};
}

Result<std::vector<StepTimes>> stepTimesFromJson(const json& from) {
    try {
        std::vector<StepTimes> all;
        for (const auto& each : from.at("steps"))
            all.push_back(fromJson(each));
        return all;
    } catch (const json::exception& error) {
        return Error{"bad_input", "The recorded times of the lessons cannot be read.",
                     "Write them again with lesson times --out.", error.what()};
    }
}

} // namespace kernelarium::lesson
