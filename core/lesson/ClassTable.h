// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/ClassRecord.h"

#include <map>

namespace kernelarium::lesson {

/// A student's record, and the file that it was read from.
struct NamedRecord {
    std::string file;
    ClassRecord record;
};

/// How far a student is with a lesson.
struct ClassCell {
    std::size_t passed = 0;
    std::int64_t firstMs = 0; ///< when the first and the last step were passed; 0: not known
    std::int64_t lastMs = 0;
    std::string otherVersion; ///< a version that steps were passed in and that is not the column's; empty: none
    std::string file;         ///< that it is from
    std::vector<PassedStep> steps;
};

/// A lesson of the table.
struct ClassColumn {
    std::string lesson;
    std::string version; ///< as it is known here; else the one in which most steps of the class were passed
    std::size_t steps = 0;
};

struct ClassRow {
    std::string student;
    std::vector<std::string> files;         ///< all that have this name
    std::map<std::string, ClassCell> cells; ///< by lesson id
};

/// Who passed what.
struct ClassTable {
    std::vector<ClassColumn> columns; ///< known lessons in their order, then others by id
    std::vector<ClassRow> rows;       ///< by name
    std::vector<std::string> notes;   ///< what a teacher should know, a sentence each
};

/// Of several files of one student (names count without case and surrounding spaces) the one that is furthest counts,
/// lesson by lesson; of two that are as far, the one that was there first. `known` are the lessons of this machine.
[[nodiscard]] ClassTable merged(std::span<const NamedRecord> records, std::span<const Lesson> known);

/// One line for each student and lesson of the table, with a header: student, lesson, version, passed, steps, complete,
/// first, last, other_version, file.
[[nodiscard]] std::string csvOf(const ClassTable& table);
[[nodiscard]] nlohmann::json toJson(const ClassTable& table);

} // namespace kernelarium::lesson
