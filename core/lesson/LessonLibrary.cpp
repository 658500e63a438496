// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/LessonLibrary.h"

#include "core/files/FileIdentity.h"
#include "core/lesson/BuiltInFiles.h"
#include "core/perf/Counters.h"
#include "core/perf/DeviceSpec.h"
#include "core/text/Utf8.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace kernelarium::lesson {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lessonFile = "lesson.md";
constexpr auto readingOrder = std::to_array<std::string_view>(
    {"first_kernel", "coalescing", "vectors", "reductions", "is_it_right", "shared_memory", "tiling", "occupancy",
     "fusion", "halo", "small_grids", "tensor_cores", "async_copies", "schedules", "deciding", "capstone"});

std::optional<std::string> builtInText(std::string_view lesson, std::string_view name) {
    for (const auto& file : builtInFiles())
        if (file.lesson == lesson && file.name == name) return std::string(file.text);
    return std::nullopt;
}

constexpr std::uintmax_t largestFile = 4'000'000;
constexpr std::size_t mostLessons = 200; ///< of a folder
constexpr std::size_t mostSteps = 100;   ///< of a lesson

/// Nothing where there is no such file; `why` says so of one that cannot be taken.
std::optional<std::string> fileText(const fs::path& path, std::string& why) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    if (fs::file_size(path, error) > largestFile || error) {
        why = fmt::format("{} has over 4 MB", path.filename().string());
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) {
        why = fmt::format("{} cannot be read", path.filename().string());
        return std::nullopt;
    }
    if (text::validUtf8(text) == text.size() && text.find('\0') == std::string::npos) return text;
    why = fmt::format("{} is not text in UTF-8", path.filename().string());
    return std::nullopt;
}

/// The folder's own name, also of one that was given as "." or with a slash at the end.
std::string nameOf(const fs::path& folder) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(fs::absolute(folder), error);
    if (error) real = folder;
    return text::asUtf8((real.filename().empty() ? real.parent_path() : real).filename().string());
}

/// A name is part of ids, which have a colon and a slash of their own.
bool canBeNamed(std::string_view name) {
    return !name.empty() && std::none_of(name.begin(), name.end(),
                                         [](unsigned char c) { return c == ':' || c == '/' || c < ' ' || c == 127; });
}

/// What only the program can know of a condition that reads well.
void checkNames(ReadLesson& read, const std::string& file) {
    if (read.lesson.steps.size() > mostSteps)
        read.problems.push_back({file, 0, fmt::format("a lesson has {} steps at most", mostSteps)});
    for (const auto& step : read.lesson.steps) {
        const Condition* first = nullptr; // of those on a modelled time
        for (const auto& condition : step.conditions) {
            if (condition.kind == Condition::Kind::modelledTime) {
                if (first && (condition.device != first->device || condition.size != first->size))
                    read.problems.push_back({file, condition.line, "a step's times are of one device and size"});
                first = first ? first : &condition;
            }
            const auto note = [&](std::string_view what, const std::string& name) {
                read.problems.push_back({file, condition.line, fmt::format("\"{}\" is not {}", name, what)});
            };
            if (condition.kind == Condition::Kind::counter)
                for (const auto& key : {condition.counter, condition.perCounter})
                    if (!key.empty() && perf::findMetric(key) == nullptr) note("a counter", key);
            const bool time =
                condition.kind == Condition::Kind::modelledTime || condition.kind == Condition::Kind::measuredTime;
            if (time && perf::findDeviceSpec(condition.device) == nullptr)
                note("a device that the program knows", condition.device);
        }
    }
}

ReadLesson readFolder(const fs::path& folder, const std::string& id, const std::string& file) {
    ReadLesson read;
    std::string why;
    const auto text = fileText(folder / lessonFile, why);
    if (!text) {
        read.problems.push_back({file, 0, why.empty() ? "it cannot be read" : why});
        return read;
    }
    std::vector<std::string> refused;
    const auto reader = [&](const std::string& name) {
        std::string reason;
        auto found = fileText(folder / name, reason);
        if (!reason.empty()) refused.push_back(reason);
        return found;
    };
    read = readLesson(id, *text, reader, folder.string());
    for (auto& problem : read.problems)
        problem.file = file;
    for (const auto& reason : refused)
        read.problems.push_back({file, 0, reason});
    checkNames(read, file);
    return read;
}

/// Those that hold a lesson, by name; `folder` itself first.
std::vector<fs::path> lessonFolders(const fs::path& folder, std::error_code& error) {
    std::error_code none;
    if (fs::is_regular_file(folder / lessonFile, none)) return {folder};
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (fs::is_regular_file(entry->path() / lessonFile, none)) found.push_back(entry->path());
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

Result<std::vector<Lesson>> builtInLessons() {
    std::vector<Lesson> lessons;
    for (const auto id : readingOrder) {
        const auto reader = [id](const std::string& name) { return builtInText(id, name); };
        const auto text = builtInText(id, lessonFile);
        if (!text) return Error{"bad_lesson", fmt::format("The lesson {} is not in the program.", id)};
        auto lesson = parseLesson(std::string(id), *text, reader, "built in");
        if (!lesson) return lesson.error();
        lessons.push_back(std::move(*lesson));
    }
    return lessons;
}

Result<Lesson> loadLesson(const fs::path& folder) {
    std::string why;
    const auto text = fileText(folder / lessonFile, why);
    if (!text)
        return Error{"unreadable_file", fmt::format("{} cannot be read.", (folder / lessonFile).string()),
                     "A lesson is a folder with a file lesson.md and its kernels."};
    const auto reader = [&](const std::string& name) { return fileText(folder / name, why); };
    return parseLesson(folder.filename().string(), *text, reader, folder.string());
}

OwnLessons loadLessonFolder(const fs::path& folder) {
    OwnLessons own;
    const std::string collection = nameOf(folder);
    const auto refuse = [&](std::string file, std::string why) {
        own.problems.push_back({std::move(file), 0, std::move(why)});
    };
    std::error_code error;
    const std::vector<fs::path> found = lessonFolders(folder, error);
    if (error) return refuse(folder.string(), fmt::format("the folder cannot be read ({})", error.message())), own;
    if (found.empty()) return refuse(folder.string(), "no folder in it has a file lesson.md"), own;
    if (!canBeNamed(collection))
        return refuse(folder.string(), "a folder of lessons may not have a colon in its name"), own;
    if (found.size() > mostLessons)
        return refuse(folder.string(), fmt::format("it has over {} lessons", mostLessons)), own;
    for (const auto& path : found) {
        const std::string name = nameOf(path);
        const std::string file = path == folder ? collection + "/lesson.md" : collection + "/" + name + "/lesson.md";
        if (!canBeNamed(name)) {
            refuse(file, "a lesson's folder may not have a colon in its name");
            continue;
        }
        ReadLesson read = readFolder(path, collection + ":" + name, file);
        if (read.problems.empty())
            own.lessons.push_back(std::move(read.lesson));
        else
            own.problems.insert(own.problems.end(), read.problems.begin(), read.problems.end());
    }
    return own;
}

OwnLessons loadLessonFolders(const std::vector<fs::path>& folders) {
    OwnLessons all;
    std::vector<std::string> names;
    for (const auto& folder : folders) {
        const std::string name = nameOf(folder);
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            all.problems.push_back(
                {folder.string(), 0, fmt::format("another folder of lessons is called {}, too: rename one", name)});
            continue;
        }
        names.push_back(name);
        OwnLessons own = loadLessonFolder(folder);
        std::move(own.lessons.begin(), own.lessons.end(), std::back_inserter(all.lessons));
        std::move(own.problems.begin(), own.problems.end(), std::back_inserter(all.problems));
    }
    return all;
}

std::string identityOfFolders(const std::vector<fs::path>& folders) {
    std::string identity;
    for (const auto& folder : folders) {
        std::error_code error;
        const auto found = lessonFolders(folder, error);
        identity += folder.string() + (error ? "?" : "") + "\n";
        for (const auto& path : found) {
            std::vector<std::string> files;
            for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
                if (const auto& each = entry->path(); each.extension() == ".cu" || each.filename() == lessonFile)
                    files.push_back(each.string() + " " + files::fileIdentity(each) + "\n");
            std::sort(files.begin(), files.end());
            for (const auto& each : files)
                identity += each;
        }
    }
    return identity;
}

} // namespace kernelarium::lesson
