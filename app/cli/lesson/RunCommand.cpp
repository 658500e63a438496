// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/RunCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/kernel/KernelSource.h"
#include "app/cli/lesson/LessonChoice.h"
#include "app/cli/lesson/StepTrial.h"
#include "core/files/WorkFile.h"
#include "core/lesson/Changes.h"
#include "core/lesson/ClassRecord.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

struct StepRunOptions {
    std::string step;
    std::string file;
    std::vector<std::string> folders;
    std::vector<std::string> answers;
    std::string record;
    std::string name;
};

Result<std::map<std::string, double>> answersOf(const std::vector<std::string>& texts, const lesson::Step& step) {
    std::map<std::string, double> answers;
    for (const auto& text : texts) {
        const auto equals = text.find('=');
        const std::string key = text.substr(0, equals);
        const std::string number = equals == std::string::npos ? std::string() : text.substr(equals + 1);
        double value = 0;
        const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
        if (number.empty() || read.ec != std::errc() || read.ptr != number.data() + number.size())
            return Error{"bad_usage", fmt::format("--answer {} is not a name, =, and a number.", text)};
        if (std::none_of(step.conditions.begin(), step.conditions.end(), [&](const lesson::Condition& condition) {
                return condition.kind == lesson::Condition::Kind::answer && condition.key == key;
            }))
            return Error{"bad_input", fmt::format("The step has no question called {}.", key),
                         "Without --answer the questions are shown with their names."};
        answers[key] = value;
    }
    return answers;
}

/// A new file, or one that is there with the step added.
Result<void> keepPassed(const StepRunOptions& options, const ChosenStep& chosen) {
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    lesson::ClassRecord record;
    std::error_code none;
    if (std::filesystem::exists(options.record, none)) {
        Result<lesson::ClassRecord> read = lesson::readRecord(options.record);
        if (!read) {
            Error error = read.error();
            error.message = options.record + ": " + error.message;
            error.action = "Nothing was written; give another --record.";
            return error;
        }
        record = std::move(*read);
        if (!options.name.empty() && record.student != options.name)
            return Error{"bad_input", fmt::format("{} is the record of {}.", options.record, record.student),
                         "Give another --record, or that --name."};
    } else {
        record.student = options.name;
    }
    if (Result<void> named = lesson::checkStudentName(record.student); !named) return named;
    record.writtenAtMs = now;
    auto in = std::find_if(record.lessons.begin(), record.lessons.end(),
                           [&](const auto& each) { return each.lesson == chosen.lesson->id; });
    if (in == record.lessons.end()) in = record.lessons.insert(in, lesson::PassedLesson{chosen.lesson->id, 0, {}});
    in->steps = chosen.lesson->steps.size();
    const bool passedBefore = std::any_of(in->passed.begin(), in->passed.end(), [&](const auto& each) {
        return each.step == chosen.step->id && each.version == chosen.lesson->version;
    });
    if (!passedBefore) {
        std::erase_if(in->passed, [&](const auto& each) { return each.step == chosen.step->id; });
        in->passed.push_back({chosen.step->id, chosen.lesson->version, now});
    }
    return files::replaceFile(options.record, lesson::recordText(record));
}

std::string_view stateWord(lesson::ConditionState state) {
    switch (state) {
    case lesson::ConditionState::met: return "met";
    case lesson::ConditionState::unmet: return "unmet";
    case lesson::ConditionState::unknown: break;
    }
    return "unknown";
}

void printChanges(const std::vector<lesson::Change>& changes) {
    if (changes.empty()) return;
    TextTable table({{"CHANGED"}, {"BEFORE", TextTable::Align::right}, {"AFTER", TextTable::Align::right}});
    for (const auto& change : changes)
        table.add({printable(change.what), printable(change.before), printable(change.after)});
    fmt::print("\n{}", table.text());
}

void printResults(Context& context, const ChosenStep& chosen, const lesson::StepEvidence& evidence,
                  const std::vector<lesson::ConditionResult>& results, const std::vector<lesson::Change>& changes) {
    const bool passed = lesson::allMet(results);
    const std::string name = chosen.lesson->id + "/" + chosen.step->id;
    if (!context.json) {
        fmt::print("{}  {}\n", passed ? "PASSED" : "NOT PASSED", printable(name));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto& condition = chosen.step->conditions[i];
            const bool question = condition.kind == lesson::Condition::Kind::answer;
            fmt::print("  {:8}{}{}\n", stateWord(results[i].state), printable(results[i].text),
                       question ? "  (--answer " + printable(condition.key) + "=NUMBER)" : "");
            if (!results[i].sentence.empty()) fmt::print("          {}\n", printable(results[i].sentence));
        }
        printChanges(changes);
        return;
    }
    auto conditions = nlohmann::json::array();
    for (const auto& result : results)
        conditions.push_back({{"state", stateWord(result.state)},
                              {"asked", result.text},
                              {"got", result.got},
                              {"sentence", result.sentence}});
    auto changed = nlohmann::json::array();
    for (const auto& change : changes)
        changed.push_back({{"what", change.what}, {"before", change.before}, {"after", change.after}});
    printJson({{"lesson", chosen.lesson->id},
               {"step", chosen.step->id},
               {"version", chosen.lesson->version},
               {"passed", passed},
               {"verdict", evidence.verdict},
               {"conditions", std::move(conditions)},
               {"changes", std::move(changed)}});
}

int runStepOfLesson(Context& context, const StepRunOptions& options) {
    const auto lessons = lessonsWith(options.folders);
    if (!lessons) return report(context, lessons.error());
    const auto chosen = stepNamed(*lessons, options.step);
    if (!chosen) return report(context, chosen.error());
    const auto answers = answersOf(options.answers, *chosen->step);
    if (!answers) return report(context, answers.error());
    lesson::StepEvidence evidence;
    StepWork work;
    if (chosen->step->hasKernel) {
        if (options.file.empty())
            return report(context, {"bad_usage", "The step is about a kernel, and none was given.", "Give FILE.cu."});
        const auto source = readKernelFile(options.file);
        if (!source) return report(context, source.error());
        auto found = tryStep(work, *chosen->step, source->text);
        if (!found) return report(context, found.error());
        evidence = std::move(*found);
    }
    evidence.answers = *answers;
    const auto results = lesson::evaluate(*chosen->step, evidence);
    const bool passed = lesson::allMet(results);
    if (passed && !options.record.empty())
        if (const auto kept = keepPassed(options, *chosen); !kept) return report(context, kept.error());
    std::vector<lesson::Change> changes;
    if (passed && chosen->step->hasKernel)
        if (const auto starter = countStarter(work, *chosen->step); starter)
            changes = lesson::changesOf(*chosen->step, *starter, evidence, lesson::recordedFor(*chosen->step));
    printResults(context, *chosen, evidence, results, changes);
    return passed ? exitSuccess : exitCheckFailed;
}

} // namespace

void addRunCommand(CLI::App& group, Context& context) {
    CLI::App* command = group.add_subcommand(
        "run", "Check a kernel, or answers, as the lesson page does: exit code 0 when the step is passed, else 1");
    const auto options = std::make_shared<StepRunOptions>();
    command->add_option("STEP", options->step, "LESSON/STEP, or LESSON/NUMBER: coalescing/2")->required();
    command->add_option("FILE", options->file, "The kernel")->option_text("FILE.cu");
    addLessonFolders(*command, options->folders);
    command->add_option("--answer", options->answers, "An answer to one of the step's questions; may be repeated")
        ->option_text("NAME=NUMBER")
        ->allow_extra_args(false);
    auto* record = command->add_option("--record", options->record, "Add a step that is passed to this class record");
    record->option_text("FILE.json");
    command->add_option("--name", options->name, "The student's name, for a record that is new")->needs(record);
    command->callback([options, &context] { context.exitCode = runStepOfLesson(context, *options); });
}

} // namespace kernelarium::cli
