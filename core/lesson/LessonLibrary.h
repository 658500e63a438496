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

/// Lessons of one's own, from folders that a teacher gave.
struct OwnLessons {
    std::vector<Lesson> lessons;         ///< by folder, then by their own folders' names
    std::vector<LessonProblem> problems; ///< why others are missing
};

/// Every folder in `folder` that holds a lesson.md, or `folder` itself where it does. The collection's name is that of
/// `folder`, so that a lesson's id, "COLLECTION:FOLDER", is never a built-in one's, and is the same on every machine.
/// Beyond what parseLesson() looks at, counters and devices have to be known. Files over 4 MB and what is not text are
/// refused. A folder that cannot be read, or that has no lesson, is a problem, too.
[[nodiscard]] OwnLessons loadLessonFolder(const std::filesystem::path& folder);

/// Those of several; of two folders of one name the second is a problem.
[[nodiscard]] OwnLessons loadLessonFolders(const std::vector<std::filesystem::path>& folders);

/// The same text as long as nobody changed any lesson.md or .cu file of loadLessonFolders(), or added one.
[[nodiscard]] std::string identityOfFolders(const std::vector<std::filesystem::path>& folders);

} // namespace kernelarium::lesson
