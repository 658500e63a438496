// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/LessonLibrary.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// --folder, which may be repeated: lessons of one's own beside those that are built in.
void addLessonFolders(CLI::App& command, std::vector<std::string>& folders);

/// Built-in lessons, then those of the folders. What is wrong with the latter is said on standard error, and the rest
/// counts; error "bad_lesson" where the folders have no lesson that can be used.
Result<std::vector<lesson::Lesson>> lessonsWith(const std::vector<std::string>& folders);

/// A step and the lesson that it is of.
struct ChosenStep {
    const lesson::Lesson* lesson = nullptr;
    const lesson::Step* step = nullptr;
};
/// By "LESSON/STEP"; a step may be given by its number, from 1. Error "bad_input".
Result<ChosenStep> stepNamed(const std::vector<lesson::Lesson>& lessons, const std::string& name);

} // namespace kernelarium::cli
