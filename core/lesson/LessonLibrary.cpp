// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/LessonLibrary.h"

#include "core/lesson/BuiltInFiles.h"

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
     "fusion", "halo", "small_grids", "tensor_cores", "async_copies", "deciding", "capstone"});

std::optional<std::string> builtInText(std::string_view lesson, std::string_view name) {
    for (const auto& file : builtInFiles())
        if (file.lesson == lesson && file.name == name) return std::string(file.text);
    return std::nullopt;
}

std::optional<std::string> fileText(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
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
    const auto text = fileText(folder / lessonFile);
    if (!text)
        return Error{"unreadable_file", fmt::format("{} cannot be read.", (folder / lessonFile).string()),
                     "A lesson is a folder with a file lesson.md and its kernels."};
    const auto reader = [&](const std::string& name) { return fileText(folder / name); };
    return parseLesson(folder.filename().string(), *text, reader, folder.string());
}

LessonFolder loadLessonFolder(const fs::path& folder) {
    LessonFolder found;
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (fs::exists(entry->path() / lessonFile, error)) folders.push_back(entry->path());
    std::sort(folders.begin(), folders.end());
    for (const auto& path : folders) {
        auto lesson = loadLesson(path);
        if (lesson)
            found.lessons.push_back(std::move(*lesson));
        else
            found.errors.push_back(lesson.error());
    }
    return found;
}

} // namespace kernelarium::lesson
