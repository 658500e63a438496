// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/lesson/Lesson.h"

namespace kernelarium::lesson {

/// Reads a lesson: a Markdown file that begins with
///
///   ---
///   title: Coalescing
///   minutes: 40
///   difficulty: beginner            (or intermediate, advanced)
///   learn:
///     - what a sector is
///   ---
///
/// Text up to the first `## Heading` is the introduction; every such heading begins a step. A step has at
/// most one block fenced as ```check, of one statement a line (`#` begins a comment line):
///
///   task 1/5                        the task's card gives arguments and reference; or instead of it
///   argument float32[64,64]         one for each argument of forward, in order, and
///   reference other.cu              the kernel whose result counts as right
///   starter start.cu                where the reader begins
///   solution done.cu
///   starter_verdict = fault race    what the starter is found to be, and why; else verified
///   verdict = verified
///   reason lacks benign_race        a name among the verdict's reasons and remarks; or reason = race: it is there
///   counter global_load_sectors / global_load_requests <= 4.5 "sectors per load request"
///   figure occupancy >= 50 "percent of the warps that fit"     names: StepEvidence.h, figuresOf
///   modelled_time <= 1.5 ms on H200 size full     full is also what arguments without a task have
///   measured_time < 80 us on H200 size full
///   source contains __shared__
///   source lacks atomicAdd
///   answer sectors = 32 within 1% "How many sectors does one request touch?"
///
/// and any number of blocks fenced as ```hint, each a hint in Markdown. A step with starter, solution or
/// verdict needs a task or arguments; every step needs a condition. Comparisons are <=, >=, <, > and =.
///
/// Errors: "bad_lesson"; the message names the file and the line of the first thing that is wrong.
Result<Lesson> parseLesson(const std::string& id, std::string_view text, const FileReader& files,
                           const std::string& source);

/// Something wrong with a lesson.
struct LessonProblem {
    std::string file; ///< "course/intro/lesson.md": the folder that was read, and what is below it
    int line = 0;     ///< 0: the file as a whole
    std::string message;
    [[nodiscard]] std::string text() const; ///< "course/intro/lesson.md:12: ..."
};

/// A lesson, and all that is wrong with it: not to be used unless that is nothing.
struct ReadLesson {
    Lesson lesson;
    std::vector<LessonProblem> problems; ///< by line
};

/// The same, going on after what is wrong.
[[nodiscard]] ReadLesson readLesson(const std::string& id, std::string_view text, const FileReader& files,
                                    const std::string& source);

} // namespace kernelarium::lesson
