// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/TimesCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/lesson/LessonChoice.h"
#include "app/cli/lesson/StepWork.h"
#include "core/files/WorkFile.h"
#include "core/lesson/StepTimes.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {

namespace {

using lesson::StepTimes;

struct TimesOptions {
    std::vector<std::string> lessons;
    std::vector<std::string> folders;
    std::string backend = "emulator";
    RunPlace place;
    double sampleSeconds = 2;
    std::string out;
};

/// What went wrong with one text, in one line: a problem ends nothing but the number that it is about.
std::string problem(std::string_view text, std::string_view doing, const Error& error) {
    return fmt::format("The {} was not {}: {}", text, doing, error.text());
}

std::optional<double> modelled(StepWork& work, const Result<protocol::RunParameters>& run, StepTimes& times,
                               std::string_view text) {
    if (!run) return times.problems.push_back(problem(text, "compiled", run.error())), std::nullopt;
    const auto profile = work.profile(*run, times.device);
    if (!profile) return times.problems.push_back(problem(text, "modelled", profile.error())), std::nullopt;
    if (profile->end == "finished") return profile->time.seconds;
    times.problems.push_back(problem(text, "modelled", {profile->end, profile->reason}));
    return std::nullopt;
}

std::optional<double> measured(StepWork& work, const Result<protocol::RunParameters>& run, StepTimes& times,
                               std::string_view text, double sampleSeconds,
                               const protocol::KernelClient::Unit& against = {}) {
    if (!run) return std::nullopt; // said by modelled()
    const auto time = work.measure(*run, sampleSeconds, against);
    if (!time) return times.problems.push_back(problem(text, "timed", time.error())), std::nullopt;
    if (time->against) times.solutionIsFaster = time->against->times.firstIsFaster;
    times.measuredOn = time->device;
    times.measuredAtMs = time->dateMs;
    if (time->summary.count > 0) return time->summary.median;
    std::string why = time->reason;
    for (const auto& remark : time->remarks)
        why += (why.empty() ? "" : " ") + remark;
    times.problems.push_back(problem(text, "timed", {time->end, why}));
    return std::nullopt;
}

void findTimes(StepWork& work, const lesson::StepKernel& kernel, const TimesOptions& options, StepTimes& times) {
    const auto starter = work.prepare(kernel, kernel.starter, times.size);
    const auto solution = work.prepare(kernel, kernel.solution, times.size);
    times.modelled.starter = modelled(work, starter, times, "starter");
    times.modelled.solution = modelled(work, solution, times, "solution");
    if (options.backend == "cuda") {
        times.measured.starter = measured(work, starter, times, "starter", options.sampleSeconds);
        const bool inPairs = times.measured.starter.has_value();
        times.measured.solution = measured(work, solution, times, "solution", options.sampleSeconds,
                                           inPairs ? starter->unit : protocol::KernelClient::Unit());
    } else {
        lesson::takeRecorded(times, lesson::recordedTimes());
    }
}

std::string timesText(const std::vector<StepTimes>& all) {
    constexpr auto right = TextTable::Align::right;
    TextTable table({{"STEP"},
                     {"MODELLED FOR"},
                     {"STARTER", right},
                     {"SOLUTION", right},
                     {"GAIN", right},
                     {"MEASURED ON"},
                     {"STARTER", right},
                     {"SOLUTION", right},
                     {"GAIN", right},
                     {"ORDERS"}});
    const auto seconds = [](std::optional<double> value) { return value ? quantities::seconds(*value, 4) : "-"; };
    const auto gain = [](std::optional<double> value) { return value ? quantities::times(*value) : "-"; };
    std::string problems;
    for (const auto& times : all) {
        const std::string step = times.lesson + "/" + times.step;
        table.add({printable(step), printable(times.device + ", " + times.size), seconds(times.modelled.starter),
                   seconds(times.modelled.solution), gain(times.modelled.gain()),
                   times.measuredOn.empty() ? "-" : printable(times.measuredOn + (times.recorded ? ", recorded" : "")),
                   seconds(times.measured.starter), seconds(times.measured.solution), gain(times.measured.gain()),
                   std::string(lesson::agreement(times))});
        for (const auto& each : times.problems)
            problems += fmt::format("{}: {}\n", printable(step), printable(each));
    }
    return table.text() + problems;
}

/// The lessons that were asked for, in their order. Error "bad_input" for a name that is none.
Result<std::vector<lesson::Lesson>> chosen(const TimesOptions& options) {
    const auto& names = options.lessons;
    Result<std::vector<lesson::Lesson>> lessons = lessonsWith(options.folders);
    if (!lessons || names.empty()) return lessons;
    std::vector<lesson::Lesson> kept;
    for (auto& each : *lessons)
        if (std::find(names.begin(), names.end(), each.id) != names.end()) kept.push_back(std::move(each));
    for (const auto& name : names)
        if (std::none_of(kept.begin(), kept.end(), [&](const auto& each) { return each.id == name; }))
            return Error{"bad_input", fmt::format("There is no lesson called {}.", name),
                         "`kernelarium-cli lesson list` shows those that there are."};
    return kept;
}

const lesson::StepKernel& kernelOf(const std::vector<lesson::Lesson>& lessons, const StepTimes& times) {
    const auto in = std::find_if(lessons.begin(), lessons.end(), [&](const auto& l) { return l.id == times.lesson; });
    return std::find_if(in->steps.begin(), in->steps.end(), [&](const auto& s) { return s.id == times.step; })->kernel;
}

int runTimes(Context& context, const TimesOptions& options) {
    const auto lessons = chosen(options);
    if (!lessons) return report(context, lessons.error());
    StepWork work(options.place);
    if (options.backend == "cuda")
        if (const auto gpu = work.useGpu(options.place.gpu); !gpu) return report(context, gpu.error());
    std::vector<StepTimes> all = lesson::stepsWithTimes(*lessons);
    std::vector<StepTimes> done;
    for (auto& times : all) {
        if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{}/{}\n", times.lesson, times.step);
        findTimes(work, kernelOf(*lessons, times), options, times);
        done.push_back(times);
        if (options.out.empty()) continue;
        const auto kept = files::replaceFile(options.out, lesson::toJson(done).dump(1) + "\n");
        if (!kept) return report(context, kept.error());
    }
    if (context.json)
        printJson(lesson::toJson(all));
    else
        fmt::print("{}", timesText(all));
    const bool fine = std::all_of(all.begin(), all.end(), [](const StepTimes& times) {
        return times.problems.empty() && lesson::agreement(times) != "differ" &&
               lesson::modelledOrder(times) != lesson::Order::starterFaster;
    });
    return fine ? exitSuccess : exitCheckFailed;
}

} // namespace

void addTimesCommand(CLI::App& group, Context& context) {
    CLI::App* command = group.add_subcommand(
        "times", "Show for every step with a time how long its starter and its solution take, modelled and measured, "
                 "and whether both times order them alike. What fails is said beside its step. Exit code 1 where "
                 "something failed, an order differs or a solution's modelled time is the longer one");
    const auto options = std::make_shared<TimesOptions>();
    command->add_option("LESSON", options->lessons, "Lessons, as `lesson list` names them; all by default");
    addLessonFolders(*command, options->folders);
    command
        ->add_option("--backend", options->backend,
                     "emulator: model, and show measured times that were recorded of the same texts; cuda: measure "
                     "them on a GPU as well")
        ->check(CLI::IsMember({"emulator", "cuda"}))
        ->capture_default_str();
    addPlaceOptions(*command, options->place);
    command->add_option("--sample-seconds", options->sampleSeconds, "Longest time to take samples of a text")
        ->check(CLI::Range(0.01, 3600.0))
        ->capture_default_str();
    command
        ->add_option("--out", options->out,
                     "Write the JSON document there, again after every step: what is interrupted keeps what was done")
        ->option_text("FILE.json");
    command->callback([options, &context] { context.exitCode = runTimes(context, *options); });
}

} // namespace kernelarium::cli
