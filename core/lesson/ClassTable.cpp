// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/ClassTable.h"

#include "core/text/Csv.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::lesson {
namespace {

using nlohmann::json;

std::string trimmedName(std::string_view name) {
    const auto begin = name.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string()
                                           : std::string(name.substr(begin, name.find_last_not_of(' ') - begin + 1));
}

/// What names are compared by.
std::string nameKey(std::string_view name) {
    std::string key = trimmedName(name);
    for (char& c : key)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    return key;
}

/// A file that names a step twice says no more than once.
std::vector<PassedStep> eachOnce(const std::vector<PassedStep>& steps) {
    std::vector<PassedStep> kept;
    std::set<std::string> seen;
    for (const auto& step : steps)
        if (seen.insert(step.step).second) kept.push_back(step);
    return kept;
}

ClassCell cellOf(const PassedLesson& lesson, const std::string& file) {
    ClassCell cell;
    cell.file = file;
    cell.steps = eachOnce(lesson.passed);
    cell.passed = cell.steps.size();
    for (const auto& step : cell.steps) {
        if (step.atMs <= 0) continue;
        cell.firstMs = cell.firstMs == 0 ? step.atMs : std::min(cell.firstMs, step.atMs);
        cell.lastMs = std::max(cell.lastMs, step.atMs);
    }
    return cell;
}

/// A time that is not known is later than all.
bool isEarlier(const ClassCell& a, const ClassCell& b) {
    return a.lastMs > 0 && (b.lastMs == 0 || a.lastMs < b.lastMs);
}

std::string mostUsedVersion(const std::vector<ClassRow>& rows, const std::string& lesson) {
    std::map<std::string, std::size_t> uses;
    for (const auto& row : rows)
        if (const auto cell = row.cells.find(lesson); cell != row.cells.end())
            for (const auto& step : cell->second.steps)
                if (!step.version.empty()) ++uses[step.version];
    const auto most =
        std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == uses.end() ? std::string() : most->first;
}

std::vector<ClassColumn> columnsOf(const std::vector<ClassRow>& rows, std::map<std::string, std::size_t> stepsOf,
                                   std::span<const Lesson> known) {
    std::vector<ClassColumn> columns;
    for (const auto& lesson : known)
        if (stepsOf.erase(lesson.id) > 0) columns.push_back({lesson.id, lesson.version, lesson.steps.size()});
    for (const auto& [id, steps] : stepsOf)
        columns.push_back({id, mostUsedVersion(rows, id), steps});
    return columns;
}

void noteVersions(ClassTable& table) {
    for (auto& row : table.rows)
        for (const auto& column : table.columns) {
            const auto cell = row.cells.find(column.lesson);
            if (cell == row.cells.end()) continue;
            std::size_t others = 0;
            for (const auto& step : cell->second.steps)
                if (!step.version.empty() && step.version != column.version) {
                    cell->second.otherVersion = step.version;
                    ++others;
                }
            if (others > 0)
                table.notes.push_back(fmt::format("{} passed {} of {} in another version of {} ({}; this is {}).",
                                                  row.student, others, cell->second.passed, column.lesson,
                                                  cell->second.otherVersion,
                                                  column.version.empty() ? "not known" : column.version));
        }
}

/// A spreadsheet would take what begins like a formula for one, and students choose their names.
std::string csvCellOf(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos) text.insert(0, "'");
    return text::csvCell(text);
}

} // namespace

ClassTable merged(std::span<const NamedRecord> records, std::span<const Lesson> known) {
    std::map<std::string, ClassRow> rows;
    std::map<std::string, std::size_t> stepsOf;
    for (const auto& [file, record] : records) {
        ClassRow& row = rows[nameKey(record.student)];
        if (row.files.empty()) row.student = trimmedName(record.student);
        row.files.push_back(file);
        for (const auto& lesson : record.lessons) {
            auto& steps = stepsOf[lesson.lesson];
            steps = std::max(steps, lesson.steps);
            ClassCell cell = cellOf(lesson, file);
            auto& kept = row.cells[lesson.lesson];
            if (cell.passed > kept.passed || (cell.passed == kept.passed && isEarlier(cell, kept)))
                kept = std::move(cell);
        }
    }
    ClassTable table;
    for (auto& [key, row] : rows) {
        if (row.files.size() > 1)
            table.notes.push_back(fmt::format("{} has {} files ({}): of each lesson the furthest counts.", row.student,
                                              row.files.size(), fmt::join(row.files, ", ")));
        table.rows.push_back(std::move(row));
    }
    table.columns = columnsOf(table.rows, std::move(stepsOf), known);
    noteVersions(table);
    return table;
}

std::string csvOf(const ClassTable& table) {
    std::string csv = "student,lesson,version,passed,steps,complete,first,last,other_version,file\n";
    for (const auto& row : table.rows)
        for (const auto& column : table.columns) {
            const auto found = row.cells.find(column.lesson);
            const ClassCell cell = found == row.cells.end() ? ClassCell() : found->second;
            csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csvCellOf(row.student), csvCellOf(column.lesson),
                               csvCellOf(column.version), cell.passed, column.steps,
                               cell.passed >= column.steps ? "yes" : "no", utcText(cell.firstMs), utcText(cell.lastMs),
                               csvCellOf(cell.otherVersion), csvCellOf(cell.file));
        }
    return csv;
}

json toJson(const ClassTable& table) {
    json columns = json::array();
    for (const auto& column : table.columns)
        columns.push_back({{"lesson", column.lesson}, {"version", column.version}, {"steps", column.steps}});
    json students = json::array();
    for (const auto& row : table.rows) {
        json lessons = json::object();
        for (const auto& [id, cell] : row.cells) {
            json steps = json::array();
            for (const auto& step : cell.steps)
                steps.push_back({{"step", step.step}, {"version", step.version}, {"at", utcText(step.atMs)}});
            lessons[id] = {{"passed", cell.passed},
                           {"first", utcText(cell.firstMs)},
                           {"last", utcText(cell.lastMs)},
                           {"other_version", cell.otherVersion},
                           {"file", cell.file},
                           {"steps", std::move(steps)}};
        }
        students.push_back({{"student", row.student}, {"files", row.files}, {"lessons", std::move(lessons)}});
    }
    return {{"lessons", std::move(columns)}, {"students", std::move(students)}, {"notes", table.notes}};
}

} // namespace kernelarium::lesson
