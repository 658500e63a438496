// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/NewArray.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <random>

namespace kernelarium::cluster {

namespace {

namespace fs = std::filesystem;

Error unwritableFolder(const fs::path& folder, const std::string& why) {
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", folder.string(), why),
            "Check your rights and the free space, or name another store."};
}

/// Of this array alone, on all machines.
std::string newName() {
    std::random_device chance;
    return fmt::format("kernelarium-{:08x}{:08x}", chance(), chance());
}

bool isOurs(const std::string& name) {
    constexpr std::array starts{"part-", "task-", "array.", "cancelled"};
    return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return name.starts_with(start); });
}

Result<void> writeScript(const fs::path& folder, const std::string& script) {
    std::ofstream file(arrayScriptFile(folder), std::ios::binary | std::ios::trunc);
    file << script;
    file.close();
    std::error_code problem;
    fs::permissions(arrayScriptFile(folder), fs::perms::owner_exec, fs::perm_options::add, problem);
    if (file && !problem) return {};
    return unwritableFolder(folder, "its script");
}

} // namespace

fs::path arrayScriptFile(const fs::path& folder) {
    return folder / "array.sh";
}

Result<void> removeArray(const fs::path& folder) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(folder, problem))) return {};
    std::vector<fs::path> ours;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        const bool whole = !entry.is_directory(problem) || entry.is_symlink(problem);
        if (!whole || !isOurs(entry.path().filename().string()))
            return unwritableFolder(folder, fmt::format("{} in it is not ours", entry.path().filename().string()));
        ours.push_back(entry.path());
    }
    if (problem) return unwritableFolder(folder, problem.message());
    for (const fs::path& file : ours)
        fs::remove(file, problem);
    if (!fs::remove(folder, problem)) return unwritableFolder(folder, problem.message());
    return {};
}

void removeRefused(const Book& book) {
    for (const SubmissionNote& note : book.notes().submissions)
        if (!note.job.empty()) return;
    static_cast<void>(removeArray(book.folder()));
}

Result<fs::path> runningProgram() {
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    if (!problem && fs::exists(program, problem)) return program;
    return Error{"missing_component", "The file of this program is gone, so that no other machine could start it.",
                 "Start the program anew."};
}

Result<Book> makeArray(const fs::path& folder, const Engine& engine, const ArrayWish& wish, ArrayContents contents) {
    if (Result<void> checked = engine.check(wish.options); !checked) return checked.error();
    if (Result<void> removed = removeArray(folder); !removed) return removed.error();
    Plan& plan = contents.plan;
    plan.engine = engine.name();
    plan.name = newName();
    plan.tasks = wish.tasks;
    if (wish.processors > 0) plan.options.push_back(engine.processorsOption(wish.processors));
    if (wish.gpu)
        if (std::string gpu = engine.gpuOption(wish.options); !gpu.empty()) plan.options.push_back(std::move(gpu));
    plan.options.insert(plan.options.end(), wish.options.begin(), wish.options.end()); // the later one counts
    ScriptWish script{plan.title, folder, wish.workingFolder, wish.tasks, {TaskWord(wish.program.string())}};
    script.command.insert(script.command.end(), contents.arguments.begin(), contents.arguments.end());
    Result<std::string> text = arrayScript(script, engine.words());
    if (!text) return text.error();
    std::error_code problem;
    fs::create_directory(folder, problem);
    if (problem) return unwritableFolder(folder, problem.message());
    for (unsigned task = 1; task <= wish.tasks; ++task) {
        if (wish.stop.stop_requested()) return Error{"cancelled", "Nothing was submitted."};
        if (Result<void> made = contents.part(task); !made) return made.error();
        if (wish.made) wish.made(task);
    }
    if (Result<void> written = writeScript(folder, *text); !written) return written.error();
    return Book::begin(folder, plan);
}

} // namespace kernelarium::cluster
