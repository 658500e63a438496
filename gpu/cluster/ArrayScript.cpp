// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/ArrayScript.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cluster {

namespace {

constexpr const char* processorsMark = "\n"; // which no word may hold

bool hasControl(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

std::string scriptWord(const TaskWord& word) {
    if (word.before == processorsMark) return "\"$processors\"";
    std::string text = word.before.empty() && word.numbered ? "" : shellQuoted(word.before);
    if (!word.numbered) return text;
    text += "\"$task\"";
    return word.after.empty() ? text : text + shellQuoted(word.after);
}

std::string commentText(std::string_view text) {
    std::string line;
    for (const char c : text.substr(0, 200))
        line += c >= ' ' && c <= '~' ? c : '?';
    return line;
}

} // namespace

TaskWord processorsWord() {
    return {std::string(processorsMark)};
}

std::string shellQuoted(std::string_view word) {
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::filesystem::path taskLog(const std::filesystem::path& folder, unsigned task) {
    return folder / fmt::format("task-{}.log", task);
}

std::filesystem::path taskMark(const std::filesystem::path& folder, unsigned task) {
    return folder / fmt::format("task-{}.ended", task);
}

Result<std::string> arrayScript(const ScriptWish& wish, const ScriptWords& engine) {
    std::vector<std::string> checked{wish.folder.string(), wish.workingFolder.string()};
    for (const TaskWord& word : wish.command)
        if (word.before != processorsMark) checked.insert(checked.end(), {word.before, word.after});
    for (const std::string& text : checked)
        if (hasControl(text))
            return Error{
                "bad_input",
                fmt::format("`{}` holds a control character, which no job's script may have.", commentText(text)),
                "Give the file or folder another name."};
    std::string script = fmt::format("#!/bin/bash\n"
                                     "# {}: one of {} tasks. Written by kernelarium-cli {}.\n"
                                     "# What is found is in this folder, whatever becomes of a task: the next one goes "
                                     "on with it.\n"
                                     "task={}\n"
                                     "processors={}\n"
                                     "folder={}\n",
                                     commentText(wish.title), wish.tasks, KERNELARIUM_VERSION, engine.task,
                                     engine.processors, shellQuoted(wish.folder.string()));
    script += "exec >>\"$folder/task-$task.log\" 2>&1 </dev/null || exit 99\n"
              "rm -f \"$folder/task-$task.ended\"\n"
              "echo \"task $task on $(hostname), $processors processors, $(date -u +%Y-%m-%dT%H:%M:%SZ)\"\n";
    script += fmt::format("cd {} || exit 98\n", shellQuoted(wish.workingFolder.string()));
    for (std::size_t i = 0; i < wish.command.size(); ++i)
        script += (i == 0 ? "" : " \\\n    ") + scriptWord(wish.command[i]);
    // A signal's code says that it was ended from outside: nothing is marked, so that the task is lost, not over.
    script += "\ncode=$?\n"
              "if [ \"$code\" -lt 128 ]; then\n"
              "    echo \"$code\" > \"$folder/task-$task.writing\" &&\n"
              "        mv -f \"$folder/task-$task.writing\" \"$folder/task-$task.ended\"\n"
              "fi\n"
              "exit \"$code\"\n";
    return script;
}

} // namespace kernelarium::cluster
