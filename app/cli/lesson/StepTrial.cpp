// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/StepTrial.h"

#include "core/lesson/StepEvidence.h"
#include "core/perf/DeviceSpec.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

/// A device and size at which a step is counted.
struct CountedAt {
    std::string device;
    std::string size;
};

std::vector<CountedAt> placesOf(const lesson::Needs& needs) {
    std::vector<CountedAt> places;
    for (const auto& condition : needs.times) {
        const perf::DeviceSpec* spec = perf::findDeviceSpec(condition.device);
        const CountedAt place{spec ? spec->id : condition.device, condition.size};
        if (std::none_of(places.begin(), places.end(),
                         [&](const auto& p) { return p.device == place.device && p.size == place.size; }))
            places.push_back(place);
    }
    if (places.empty() && needs.counters) places.push_back({"h200", "full"});
    return places;
}

Result<void> addCounts(StepWork& work, const protocol::RunParameters& verified, const CountedAt& place,
                       lesson::StepEvidence& evidence) {
    protocol::RunParameters run = verified;
    run.size = place.size;
    const auto profile = work.profile(std::move(run), place.device);
    if (!profile) return profile.error();
    if (profile->end != "finished") return {};
    evidence.counters = lesson::countersOf(profile->counters);
    evidence.figures = lesson::figuresOf(profile->counters, profile->time);
    auto time = lesson::timeOf(profile->time, profile->size);
    if (const auto* spec = perf::findDeviceSpec(time.device)) time.device = spec->name;
    evidence.times.push_back(std::move(time));
    return {};
}

std::map<std::string, double> rightAnswersOf(const lesson::Step& step) {
    std::map<std::string, double> answers;
    for (const auto& condition : step.conditions)
        if (condition.kind == lesson::Condition::Kind::answer) answers[condition.key] = condition.bound;
    return answers;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void testStarter(StepWork& work, const lesson::Step& step, std::vector<std::string>& problems) {
    auto evidence = tryStep(work, step, step.kernel.starter);
    if (!evidence) return problems.push_back("The starter could not be tried: " + evidence.error().text());
    if (evidence->verdict != step.kernel.starterVerdict)
        problems.push_back(fmt::format("The starter is {}; starter_verdict says {}. {}", evidence->verdict,
                                       step.kernel.starterVerdict, evidence->message));
    const auto& reason = step.kernel.starterReason;
    if (!reason.empty() && !has(evidence->reasons, reason) && !has(evidence->remarks, reason))
        problems.push_back(fmt::format("The starter's verdict does not have the reason {}.", reason));
    evidence->answers = rightAnswersOf(step); // then it is the kernel that lacks something
    if (lesson::allMet(lesson::evaluate(step, *evidence)))
        problems.emplace_back("The starter meets every condition already: there is nothing to do.");
}

} // namespace

Result<lesson::StepEvidence> tryStep(StepWork& work, const lesson::Step& step, const std::string& text) {
    lesson::StepEvidence evidence;
    evidence.source = text;
    const auto run = work.prepareAnyway(step.kernel, text, "small");
    if (!run) return run.error();
    const auto answer = work.verify(*run);
    if (!answer) return answer.error();
    evidence.verdict = verify::name(answer->verdict.kind);
    evidence.message = answer->verdict.message;
    evidence.reasons = answer->verdict.reasons;
    evidence.remarks = answer->verdict.remarks;
    // What does not run is not counted: the verdict says what is the matter.
    if (evidence.verdict != "verified" && evidence.verdict != "wrong") return evidence;
    for (const auto& place : placesOf(lesson::needsOf(step)))
        if (const auto counted = addCounts(work, *run, place, evidence); !counted) return counted.error();
    return evidence;
}

Result<lesson::StepEvidence> countStarter(StepWork& work, const lesson::Step& step) {
    lesson::StepEvidence evidence;
    const auto places = placesOf(lesson::needsOf(step));
    if (places.empty()) return evidence;
    const auto run = work.prepareAnyway(step.kernel, step.kernel.starter, "small");
    if (!run) return run.error();
    if (!(*run).unit->ok) return evidence;
    for (const auto& place : places)
        if (const auto counted = addCounts(work, *run, place, evidence); !counted) return counted.error();
    return evidence;
}

StepSelfTest selfTest(StepWork& work, const lesson::Step& step) {
    StepSelfTest test;
    if (!step.hasKernel) return test; // questions, whose answers are written beside them
    testStarter(work, step, test.problems);
    auto evidence = tryStep(work, step, step.kernel.solution);
    if (!evidence) {
        test.problems.push_back("The solution could not be tried: " + evidence.error().text());
        return test;
    }
    evidence->answers = rightAnswersOf(step);
    const auto results = lesson::evaluate(step, *evidence);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& result = results[i];
        // Without a GPU nobody knows a measured time.
        const bool measured = step.conditions[i].kind == lesson::Condition::Kind::measuredTime;
        if (result.state != lesson::ConditionState::met && !measured)
            test.problems.push_back(fmt::format("The solution does not pass: {}: {}", result.text, result.sentence));
    }
    return test;
}

} // namespace kernelarium::cli
