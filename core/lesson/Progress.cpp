// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Progress.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

using State = StepProgress::State;
using nlohmann::json;

std::string_view word(State state) {
    return state == State::met ? "met" : state == State::skipped ? "skipped" : "open";
}

State stateFromWord(const std::string& text) {
    return text == "met" ? State::met : text == "skipped" ? State::skipped : State::open;
}

State stateOf(const LessonProgress& progress, const std::string& step) {
    const auto found = progress.steps.find(step);
    return found == progress.steps.end() ? State::open : found->second.state;
}

StepProgress stepFromJson(const json& from) {
    StepProgress step;
    step.state = stateFromWord(from.value("state", std::string()));
    step.metAtMs = from.value("met_at", std::int64_t(0));
    step.metVersion = from.value("met_version", std::string());
    step.hintsShown = from.value("hints", 0);
    step.solutionShown = from.value("solution", false);
    if (from.contains("answers")) step.answers = from.at("answers").get<std::map<std::string, double>>();
    return step;
}

} // namespace

bool isUnlocked(const Lesson& lesson, const LessonProgress& progress, std::size_t step) {
    const auto end = lesson.steps.begin() + static_cast<std::ptrdiff_t>(std::min(step, lesson.steps.size()));
    return std::all_of(lesson.steps.begin(), end,
                       [&](const Step& before) { return stateOf(progress, before.id) != State::open; });
}

std::size_t stepsMet(const Lesson& lesson, const LessonProgress& progress) {
    return static_cast<std::size_t>(std::count_if(lesson.steps.begin(), lesson.steps.end(), [&](const Step& step) {
        return stateOf(progress, step.id) == State::met;
    }));
}

json toJson(const Progress& progress) {
    json lessons = json::object();
    for (const auto& [id, lesson] : progress.lessons) {
        json steps = json::object();
        for (const auto& [stepId, step] : lesson.steps) {
            json& to = steps[stepId];
            to = {{"state", word(step.state)},
                  {"hints", step.hintsShown},
                  {"solution", step.solutionShown},
                  {"answers", step.answers}};
            if (step.metAtMs > 0) to["met_at"] = step.metAtMs;
            if (!step.metVersion.empty()) to["met_version"] = step.metVersion;
        }
        lessons[id] = {{"current", lesson.currentStep}, {"steps", std::move(steps)}};
    }
    return {{"format", 1}, {"lessons", std::move(lessons)}};
}

Result<Progress> progressFromJson(const json& from) {
    try {
        Progress progress;
        for (const auto& [id, lesson] : from.at("lessons").items()) {
            auto& to = progress.lessons[id];
            to.currentStep = lesson.value("current", std::string());
            for (const auto& [stepId, step] : lesson.at("steps").items())
                to.steps[stepId] = stepFromJson(step);
        }
        return progress;
    } catch (const json::exception& error) {
        return Error{"bad_input", "The kept progress of the lessons cannot be read.",
                     "The lessons start over; nothing else is lost.", error.what()};
    }
}

std::string progressText(const Progress& progress) {
    return toJson(progress).dump();
}

Result<Progress> progressFromText(std::string_view text) {
    return progressFromJson(json::parse(text, nullptr, false));
}

} // namespace kernelarium::lesson
