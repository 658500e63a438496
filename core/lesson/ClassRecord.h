// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Progress.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::lesson {

/// A step that a student has passed.
struct PassedStep {
    std::string step;
    std::string version;   ///< Lesson::version then; empty: not known
    std::int64_t atMs = 0; ///< since 1970, UTC, by the student's clock; 0: not known
};

/// What a student has passed of a lesson.
struct PassedLesson {
    std::string lesson;             ///< id
    std::size_t steps = 0;          ///< that the lesson had when this was written
    std::vector<PassedStep> passed; ///< in the lesson's order
};

/// A student's own file for a teacher: who passed what, and when. It has nothing else of the student: no text, no
/// answers, no hints taken, nothing of the machine.
///
/// Its checksum finds a file that was damaged, or edited by hand without care. It proves neither who worked nor when,
/// and whoever has this program's source can write any file that they like.
struct ClassRecord {
    std::string student; ///< the name that the student gave
    std::int64_t writtenAtMs = 0;
    std::vector<PassedLesson> lessons; ///< those of which a step is passed
};

/// Error "bad_input" for a name that is empty, longer than 200 bytes, or has control characters in it.
Result<void> checkStudentName(std::string_view name);

/// Of a reader's progress. Lessons that are not among `lessons` are left out.
[[nodiscard]] ClassRecord recordOf(std::string student, const Progress& progress, std::span<const Lesson> lessons,
                                   std::int64_t nowMs);

/// JSON with a checksum: the file's text.
[[nodiscard]] std::string recordText(const ClassRecord& record);
/// Error "bad_input" in a sentence without the file's name: no JSON, another kind of file, a newer format, a field that
/// is missing or of the wrong kind, a checksum that does not fit.
Result<ClassRecord> recordFromText(std::string_view text);

/// Reads a file of at most 4 MB. Errors: "unreadable_file", and those of recordFromText.
Result<ClassRecord> readRecord(const std::filesystem::path& file);

/// "2026-11-24T04:05:06Z"; empty for 0.
[[nodiscard]] std::string utcText(std::int64_t ms);

} // namespace kernelarium::lesson
