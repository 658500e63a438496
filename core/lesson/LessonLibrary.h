// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/LessonParser.h"

#include <filesystem>
#include <vector>

namespace kernelarium::lesson {

/// The lessons of resources/lessons, compiled into the program, in the order in which they are meant to be
/// read.
Result<std::vector<Lesson>> builtInLessons();

/// Reads FOLDER/lesson.md and the kernels beside it. Errors: "unreadable_file", "bad_lesson".
Result<Lesson> loadLesson(const std::filesystem::path& folder);

/// The lessons of a folder.
struct LessonFolder {
    std::vector<Lesson> lessons; ///< by folder name
    std::vector<Error> errors;   ///< of those that could not be read
};
/// Every folder in `folder` that holds a lesson.md: the reader's own lessons.
[[nodiscard]] LessonFolder loadLessonFolder(const std::filesystem::path& folder);

} // namespace kernelarium::lesson
