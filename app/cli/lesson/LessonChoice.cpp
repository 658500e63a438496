// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/LessonChoice.h"

#include "app/cli/Output.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::cli {

void addLessonFolders(CLI::App& command, std::vector<std::string>& folders) {
    command
        .add_option("--folder", folders,
                    "Lessons of your own, beside those that are built in; may be repeated. `LESSON` is then "
                    "`FOLDER:LESSON`, by the names of the folders")
        ->option_text("FOLDER")
        ->allow_extra_args(false);
}

Result<std::vector<lesson::Lesson>> lessonsWith(const std::vector<std::string>& folders) {
    Result<std::vector<lesson::Lesson>> lessons = lesson::builtInLessons();
    if (!lessons || folders.empty()) return lessons;
    lesson::OwnLessons own = lesson::loadLessonFolders({folders.begin(), folders.end()});
    for (const auto& problem : own.problems)
        fmt::print(stderr, "{}\n", printable(problem.text()));
    if (own.lessons.empty())
        return Error{"bad_lesson", "The folders have no lesson that can be used.",
                     "`kernelarium-cli lesson check FOLDER` says what is wrong."};
    std::move(own.lessons.begin(), own.lessons.end(), std::back_inserter(*lessons));
    return lessons;
}

Result<ChosenStep> stepNamed(const std::vector<lesson::Lesson>& lessons, const std::string& name) {
    const auto slash = name.rfind('/');
    const std::string id = name.substr(0, slash);
    const auto in = std::find_if(lessons.begin(), lessons.end(), [&](const auto& each) { return each.id == id; });
    if (in == lessons.end())
        return Error{"bad_input", fmt::format("There is no lesson called {}.", id),
                     "`kernelarium-cli lesson list` shows those that there are."};
    const std::string step = slash == std::string::npos ? std::string() : name.substr(slash + 1);
    std::size_t number = 0;
    const auto read = std::from_chars(step.data(), step.data() + step.size(), number);
    const bool isNumber = !step.empty() && read.ec == std::errc() && read.ptr == step.data() + step.size();
    for (std::size_t i = 0; i < in->steps.size(); ++i)
        if (in->steps[i].id == step || (isNumber && number == i + 1)) return ChosenStep{&*in, &in->steps[i]};
    return Error{"bad_input", fmt::format("The lesson {} has no step called {}.", id, step.empty() ? "\"\"" : step),
                 fmt::format("`kernelarium-cli lesson list {}` shows its steps.", id)};
}

} // namespace kernelarium::cli
