// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/ClassCommands.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/archive/SearchOptions.h"
#include "app/cli/lesson/LessonChoice.h"
#include "core/files/WorkFile.h"
#include "core/lesson/ClassTable.h"
#include "core/quantities/Quantities.h"
#include "core/session/SessionStore.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

struct RecordOptions {
    std::string name;
    std::string out;
    std::filesystem::path session;
    std::vector<std::string> folders;
};

struct ClassOptions {
    std::vector<std::string> files;
    std::vector<std::string> folders;
    bool csv = false;
};

/// What the window keeps in its session file.
Result<lesson::Progress> keptProgress(const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::exists(file, none))
        return Error{"bad_input", fmt::format("There is no session file {}.", file.string()),
                     "Name the window's with --session-file, or keep a record with `lesson run --record`."};
    Result<session::SessionStore> store = session::SessionStore::open(file);
    if (!store) return store.error();
    const auto text = store->value("lesson_progress");
    if (!text) return text.error();
    return *text ? lesson::progressFromText(**text) : Result<lesson::Progress>(lesson::Progress());
}

int runRecord(Context& context, const RecordOptions& options) {
    if (const auto named = lesson::checkStudentName(options.name); !named) return report(context, named.error());
    const auto lessons = lessonsWith(options.folders);
    if (!lessons) return report(context, lessons.error());
    const auto progress = keptProgress(options.session);
    if (!progress) return report(context, progress.error());
    const auto now =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    const auto record = lesson::recordOf(options.name, *progress, *lessons, now.count());
    const std::string text = lesson::recordText(record);
    if (options.out.empty() || options.out == "-") {
        fmt::print("{}", text);
        return exitSuccess;
    }
    if (const auto kept = files::replaceFile(options.out, text); !kept) return report(context, kept.error());
    std::size_t passed = 0;
    for (const auto& lesson : record.lessons)
        passed += lesson.passed.size();
    if (context.json)
        printJson({{"file", options.out}, {"lessons", record.lessons.size()}, {"steps", passed}});
    else
        fmt::print("{}: {} of {}\n", printable(options.out), quantities::counted(double(passed), "step"),
                   quantities::counted(double(record.lessons.size()), "lesson"));
    return exitSuccess;
}

std::string classText(const lesson::ClassTable& table) {
    std::vector<TextTable::Column> columns{{"STUDENT"}};
    for (const auto& column : table.columns)
        columns.push_back({printable(column.lesson), TextTable::Align::right});
    columns.push_back({"STEPS", TextTable::Align::right});
    columns.push_back({"LAST PASSED"});
    TextTable text(std::move(columns));
    for (const auto& row : table.rows) {
        std::vector<std::string> cells{printable(row.student)};
        std::size_t passed = 0;
        std::int64_t last = 0;
        for (const auto& column : table.columns) {
            const auto cell = row.cells.find(column.lesson);
            if (cell == row.cells.end()) {
                cells.emplace_back("-");
                continue;
            }
            passed += cell->second.passed;
            last = std::max(last, cell->second.lastMs);
            cells.push_back(fmt::format("{}/{}{}", cell->second.passed, column.steps,
                                        cell->second.otherVersion.empty() ? "" : "*"));
        }
        cells.push_back(std::to_string(passed));
        cells.push_back(last > 0 ? lesson::utcText(last) : "-");
        text.add(std::move(cells));
    }
    std::string all = text.text();
    for (const auto& note : table.notes)
        all += printable(note) + "\n";
    return all + "What the files say, by the students' own clocks; they do not prove who worked.\n";
}

int runClass(Context& context, const ClassOptions& options) {
    const auto lessons = lessonsWith(options.folders);
    if (!lessons) return report(context, lessons.error());
    std::vector<lesson::NamedRecord> records;
    auto refused = nlohmann::json::array();
    for (const auto& file : options.files) {
        Result<lesson::ClassRecord> record = lesson::readRecord(file);
        if (record) {
            records.push_back({file, std::move(*record)});
            continue;
        }
        refused.push_back({{"file", file}, {"message", record.error().message}, {"action", record.error().action}});
        if (!context.json) fmt::print(stderr, "{}: {}\n", printable(file), printable(record.error().text()));
    }
    const lesson::ClassTable table = lesson::merged(records, *lessons);
    if (context.json) {
        nlohmann::json document = lesson::toJson(table);
        document["refused"] = refused;
        printJson(document);
    } else if (options.csv) {
        fmt::print("{}", lesson::csvOf(table));
        for (const auto& note : table.notes)
            fmt::print(stderr, "{}\n", printable(note));
    } else {
        fmt::print("{}", classText(table));
    }
    return refused.empty() ? exitSuccess : exitCheckFailed;
}

} // namespace

void addExportCommand(CLI::App& group, Context& context) {
    CLI::App* command = group.add_subcommand(
        "export",
        "Write a student's own file for the teacher: the name, the steps that are passed, in which version of "
        "their lessons and when, and nothing else. It proves neither who worked nor when");
    const auto options = std::make_shared<RecordOptions>();
    command->add_option("--name", options->name, "The student's name")->required();
    command->add_option("--out", options->out, "The file to write; standard output by default")
        ->option_text("FILE.json");
    options->session = defaultSessionPath();
    command->add_option("--session-file", options->session, "The window's session file, which has what was passed")
        ->default_str(options->session.string())
        ->option_text("FILE");
    addLessonFolders(*command, options->folders);
    command->callback([options, &context] { context.exitCode = runRecord(context, *options); });
}

void addMergeCommand(CLI::App& group, Context& context) {
    CLI::App* command = group.add_subcommand(
        "merge", "Show the files of a class as one table. Of several files of one student the furthest counts; other "
                 "versions of a lesson are named; files that are damaged are named and left out, with exit code 1");
    const auto options = std::make_shared<ClassOptions>();
    command
        ->add_option("FILES", options->files, "What `lesson export`, `lesson run --record` and the lesson page write")
        ->required()
        ->option_text("FILE.json...");
    command->add_flag("--csv", options->csv, "Print CSV: a line for each student and lesson");
    addLessonFolders(*command, options->folders);
    command->callback([options, &context] { context.exitCode = runClass(context, *options); });
}

} // namespace kernelarium::cli
