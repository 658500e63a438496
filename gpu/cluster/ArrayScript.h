// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Engine.h"

#include <utility>

namespace kernelarium::cluster {

/// A word of a command that every task runs: the same for all, but for the task's number where it has one.
struct TaskWord {
    TaskWord(std::string text) // NOLINT(google-explicit-constructor): most words are texts
        : before(std::move(text)) {}
    TaskWord(const char* text)
        : before(text) {}
    TaskWord(std::string textBefore, std::string textAfter) ///< the number stands between them
        : before(std::move(textBefore))
        , after(std::move(textAfter))
        , numbered(true) {}
    std::string before, after;
    bool numbered = false;
};

/// The word that is the number of processors that the engine gave the task.
[[nodiscard]] TaskWord processorsWord();

struct ScriptWish {
    std::string title;                   ///< what it is of, for who reads the script
    std::filesystem::path folder;        ///< of the array: logs and marks of what has ended
    std::filesystem::path workingFolder; ///< of the command: where it was submitted
    unsigned tasks = 1;
    std::vector<TaskWord> command; ///< the program first
};

/// A bash script that a person can read and run by hand: it runs the command for one task, adds what it says to
/// taskLog(), and leaves its exit code in taskMark() where it ended by itself. Every path and word is quoted. Error
/// "bad_input": a path or word holds a control character.
[[nodiscard]] Result<std::string> arrayScript(const ScriptWish& wish, const ScriptWords& engine);

[[nodiscard]] std::filesystem::path taskLog(const std::filesystem::path& folder, unsigned task);
[[nodiscard]] std::filesystem::path taskMark(const std::filesystem::path& folder, unsigned task);

/// A word for a POSIX shell: in single quotes.
[[nodiscard]] std::string shellQuoted(std::string_view word);

} // namespace kernelarium::cluster
