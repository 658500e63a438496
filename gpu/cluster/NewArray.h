// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/ArrayScript.h"
#include "gpu/cluster/Book.h"

#include <functional>
#include <stop_token>

namespace kernelarium::cluster {

/// How an array is to be made.
struct ArrayWish {
    unsigned tasks = 1;
    std::vector<std::string> options;    ///< for the engine's program
    std::filesystem::path program;       ///< this one, as the tasks' machines find it
    std::filesystem::path workingFolder; ///< of relative paths
    unsigned processors = 0;             ///< of each task; 0: what the engine gives
    bool gpu = false;
    std::stop_token stop = {};
    std::function<void(unsigned)> made = {}; ///< so many parts
};

/// What one kind of work puts into it.
struct ArrayContents {
    Plan plan;                       ///< without name and options
    std::vector<TaskWord> arguments; ///< of the program, in each task
    /// Makes the part of a task in the folder.
    std::function<Result<void>(unsigned task)> part;
};

/// Makes an array's folder: the parts, the script (arrayScriptFile()) and last of all the book, so that a folder with a
/// book is whole. Nothing is submitted: watchArray() does that. What a killed call left is removed first. Errors:
/// "bad_usage" (the options), "bad_input", "unwritable_file" (also: something else is in the folder), "cancelled",
/// those of `part` and of Book.
[[nodiscard]] Result<Book> makeArray(const std::filesystem::path& folder, const Engine& engine, const ArrayWish& wish,
                                     ArrayContents contents);

[[nodiscard]] std::filesystem::path arrayScriptFile(const std::filesystem::path& folder);

/// Removes an array's folder; files that are not ours are left, and then it stays: "unwritable_file".
[[nodiscard]] Result<void> removeArray(const std::filesystem::path& folder);

/// Removes the array of a book if nothing of it was ever submitted: one that was refused is no array.
void removeRefused(const Book& book);

/// The file of this running program. Error "missing_component": it was removed or replaced meanwhile.
[[nodiscard]] Result<std::filesystem::path> runningProgram();

} // namespace kernelarium::cluster
