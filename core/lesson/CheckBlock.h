// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Lesson.h"

namespace kernelarium::lesson {

/// Thrown inside this room; parseLesson turns it into an Error that names the file.
struct LessonFault {
    int line = 0;
    std::string message;
};

/// Applies one line of a ```check block to its step. Throws LessonFault.
void applyStatement(Step& step, std::string_view statement, int line, const FileReader& files);

/// Says what a finished step lacks. Throws LessonFault.
void requireComplete(const Step& step);

} // namespace kernelarium::lesson
