// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/ListCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/lesson/LessonChoice.h"
#include "app/cli/lesson/StepTrial.h"
#include "core/task/Card.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

nlohmann::json lessonJson(const lesson::Lesson& lesson) {
    auto steps = nlohmann::json::array();
    for (const auto& step : lesson.steps)
        steps.push_back({{"id", step.id},
                         {"title", step.title},
                         {"kernel", step.hasKernel},
                         {"hints", step.hints.size()},
                         {"conditions", step.conditions.size()}});
    return {{"id", lesson.id},           {"title", lesson.title},
            {"minutes", lesson.minutes}, {"difficulty", lesson.difficulty},
            {"version", lesson.version}, {"source", lesson.source},
            {"steps", std::move(steps)}};
}

void printSteps(const lesson::Lesson& lesson) {
    fmt::print("{}  ({}, version {}, {})\n", printable(lesson.title), printable(lesson.id), lesson.version,
               printable(lesson.source));
    TextTable table({{"", TextTable::Align::right}, {"STEP"}, {"TITLE"}});
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        table.add({std::to_string(i + 1), printable(lesson.steps[i].id), printable(lesson.steps[i].title)});
    fmt::print("{}", table.text());
}

int runList(Context& context, const std::string& only, const std::vector<std::string>& folders) {
    const auto lessons = lessonsWith(folders);
    if (!lessons) return report(context, lessons.error());
    constexpr auto right = TextTable::Align::right;
    TextTable table({{"LESSON"}, {"STEPS", right}, {"MINUTES", right}, {"FOR"}, {"VERSION"}, {"TITLE"}});
    auto list = nlohmann::json::array();
    bool found = only.empty();
    for (const auto& lesson : *lessons) {
        if (!only.empty() && lesson.id != only) continue;
        found = true;
        list.push_back(lessonJson(lesson));
        if (!only.empty() && !context.json) printSteps(lesson);
        table.add({printable(lesson.id), std::to_string(lesson.steps.size()), std::to_string(lesson.minutes),
                   lesson.difficulty, lesson.version, printable(lesson.title)});
    }
    if (!found)
        return report(context, {"bad_input", fmt::format("There is no lesson called {}.", only),
                                "`kernelarium-cli lesson list` shows those that there are."});
    if (context.json)
        printJson({{"lessons", list}});
    else if (only.empty())
        fmt::print("{}", table.text());
    return exitSuccess;
}

/// What is told of a lesson only when cards are there and kernels run.
void checkSteps(const lesson::Lesson& lesson, const std::string& file, bool runs,
                std::vector<lesson::LessonProblem>& problems) {
    for (const auto& step : lesson.steps) {
        if (step.kernel.task > 0)
            if (const auto card = task::loadCard(step.kernel.level, step.kernel.task); !card) {
                problems.push_back({file, step.line, fmt::format("in \"{}\": {}", step.title, card.error().message)});
                continue;
            }
        if (!runs) continue;
        StepWork work; // a child of its own: what a kernel did to one is no other step's trouble
        for (const auto& each : selfTest(work, step).problems)
            problems.push_back({file, step.line, fmt::format("in \"{}\": {}", step.title, each)});
    }
}

int runCheck(Context& context, const std::string& folder, bool runs) {
    lesson::OwnLessons own = lesson::loadLessonFolder(folder);
    auto good = nlohmann::json::array();
    for (const auto& lesson : own.lessons) {
        const std::size_t before = own.problems.size();
        std::string file = lesson.id + "/lesson.md";
        file.replace(file.find(':'), 1, "/");
        checkSteps(lesson, file, runs, own.problems);
        if (own.problems.size() > before) continue;
        good.push_back(lessonJson(lesson));
        if (!context.json) fmt::print("{}: {} steps, fine\n", printable(lesson.id), lesson.steps.size());
    }
    auto problems = nlohmann::json::array();
    for (const auto& problem : own.problems) {
        problems.push_back({{"file", problem.file}, {"line", problem.line}, {"message", problem.message}});
        if (!context.json) fmt::print("{}\n", printable(problem.text()));
    }
    if (context.json) printJson({{"lessons", good}, {"problems", problems}});
    return own.problems.empty() ? exitSuccess : exitCheckFailed;
}

} // namespace

void addListCommand(CLI::App& group, Context& context) {
    struct Options {
        std::string only;
        std::vector<std::string> folders;
    };
    CLI::App* command = group.add_subcommand("list", "List the lessons, or the steps of one");
    const auto options = std::make_shared<Options>();
    command->add_option("LESSON", options->only, "Show the steps of this lesson");
    addLessonFolders(*command, options->folders);
    command->callback([options, &context] { context.exitCode = runList(context, options->only, options->folders); });
}

void addCheckCommand(CLI::App& group, Context& context) {
    struct Options {
        std::string folder;
        bool runs = false;
    };
    CLI::App* command = group.add_subcommand(
        "check", "Say what is wrong with the lessons of a folder, with file and line: exit code 1 if anything is");
    const auto options = std::make_shared<Options>();
    command->add_option("FOLDER", options->folder, "A folder of lessons, or of one")->required();
    command->add_flag("--run", options->runs,
                      "Run every starter, which has to lack something, and every solution, which has to pass");
    command->callback([options, &context] { context.exitCode = runCheck(context, options->folder, options->runs); });
}

} // namespace kernelarium::cli
