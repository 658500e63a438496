// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/StatsReport.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "core/quantities/Quantities.h"
#include "core/statistics/Ranking.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

using archive::GroupStatistics;
constexpr auto rightAligned = TextTable::Align::right;

struct StatsCommand {
    std::filesystem::path path;
    std::filesystem::path verdicts;
    bool perTask = false;
    bool noProfiles = false;
};

void addGroup(TextTable& table, std::string title, const GroupStatistics& group) {
    table.add({std::move(title), std::to_string(group.rows), std::to_string(group.correct), std::to_string(group.tasks),
               std::to_string(group.tasksWithCorrect), shareCell(group.shareFasterThanNative),
               shareCell(group.shareFasterThanCompile), shareCell(group.shareOverTwiceNative),
               cell(group.medianSpeedupNative, 2), cell(group.medianSpeedupCompile, 2),
               cell(group.bestSpeedupNative, 2)});
}

void printGroups(const statistics::Findings& findings, bool perTask) {
    const auto& all = findings.archived.groups;
    TextTable text({{"GROUP"},
                    {"KERNELS", rightAligned},
                    {"CORRECT", rightAligned},
                    {"TASKS", rightAligned},
                    {"SOLVED", rightAligned},
                    {">1x NATIVE", rightAligned},
                    {">1x COMPILE", rightAligned},
                    {">2x NATIVE", rightAligned},
                    {"MEDIAN NATIVE", rightAligned},
                    {"MEDIAN COMPILE", rightAligned},
                    {"BEST", rightAligned}});
    addGroup(text, "all", all.all);
    if (!findings.failing.empty())
        addGroup(text, fmt::format("without the {} that fail here", findings.failing.size()),
                 findings.standing.groups.all);
    for (const auto& level : all.levels)
        addGroup(text, fmt::format("level {}", level.level), level);
    for (const auto& group : all.classes)
        addGroup(text, std::string(archive::operatorClassWord(*group.operatorClass)), group);
    if (perTask)
        for (const auto& task : all.tasks)
            addGroup(text, fmt::format("L{}/T{}", task.level, task.task), task);
    fmt::print("{}Shares and medians are of kernels archived as correct that have a speed-up.\n", text.text());
    if (const auto unclaimed = all.all.tasks - all.all.tasksClaimed; unclaimed > 0)
        fmt::print("Of {} the archive does not say whether any kernel is correct.\n",
                   quantities::counted(double(unclaimed), "task"));
    if (!findings.judged.empty())
        fmt::print("Of {} judged here {} fail; {} of these are archived as correct.\n",
                   quantities::counted(double(findings.judged.size()), "kernel"), findings.failing.size(),
                   findings.contradictions.size());
}

Result<statistics::Findings> findingsOf(const archive::KernelTable& table, const StatsCommand& command) {
    std::vector<audit::StoredVerdict> verdicts;
    auto store = audit::VerdictStore::openExisting(verdictsOf(command.path, command.verdicts));
    if (!store) return store.error();
    if (*store) {
        auto all = (**store).all();
        if (!all) return all.error();
        verdicts = std::move(*all);
    }
    return statistics::findingsOf(table, archive::everyRow(table), verdicts);
}

Result<nlohmann::json> statsDocument(archive::Archive& opened, const archive::KernelTable& table,
                                     const statistics::Findings& findings, const StatsCommand& command) {
    auto document = selectionJson(table, findings.archived);
    document["db"] = command.path.string();
    document["verdicts"] = contradictionsJson(table, findings);
    document["without_failing"] = selectionJson(table, findings.standing);
    if (command.noProfiles) return document;
    const StopOnSignal signals;
    statistics::ProfileOptions options;
    options.stop = signals.token();
    if (isatty(STDERR_FILENO) != 0)
        options.progress = [](std::size_t done, std::size_t all) {
            fmt::print(stderr, "\rprofiles of {} of {} kernels\033[K", done, all);
        };
    auto profiles = statistics::profileStatistics(opened, table, findings.archived.rows, options);
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (!profiles) return profiles.error();
    document["profiles"] = profilesJson(*profiles);
    return document;
}

int runStats(Context& context, const StatsCommand& command) {
    auto opened = archive::Archive::open(command.path);
    if (!opened) return report(context, opened.error());
    auto table = opened->table();
    if (!table) return report(context, table.error());
    auto findings = findingsOf(*table, command);
    if (!findings) return report(context, findings.error());
    if (!context.json) {
        printGroups(*findings, command.perTask);
        return exitSuccess;
    }
    auto document = statsDocument(*opened, *table, *findings, command);
    if (!document) return report(context, document.error());
    printJson(*document);
    return exitSuccess;
}

int runLineage(Context& context, const std::filesystem::path& path, std::int64_t level, std::int64_t task) {
    auto opened = archive::Archive::open(path);
    if (!opened) return report(context, opened.error());
    auto table = opened->table();
    if (!table) return report(context, table.error());
    const auto steps = statistics::lineage(*table, archive::everyRow(*table), level, task);
    auto list = nlohmann::json::array();
    TextTable text({{"INDEX", rightAligned},
                    {"KERNEL"},
                    {"EDIT", rightAligned},
                    {"x NATIVE", rightAligned},
                    {"BEST SO FAR", rightAligned}});
    for (const auto& step : steps) {
        const double speedup = table->speedupNative[step.row];
        const auto index = table->originalIndex[step.row];
        const bool indexed = index != archive::KernelTable::missingIndex;
        const auto real = [](double value) { return std::isnan(value) ? nlohmann::json() : nlohmann::json(value); };
        list.push_back({{"label", table->label(step.row)},
                        {"id", table->id[step.row]},
                        {"original_index", indexed ? nlohmann::json(index) : nlohmann::json()},
                        {"stem", step.stem},
                        {"edit", step.edit ? nlohmann::json(*step.edit) : nlohmann::json()},
                        {"base", step.isBase},
                        {"speedup_native", real(speedup)},
                        {"best_so_far", real(step.bestSoFar)},
                        {"is_best", step.isBest}});
        text.add({indexed ? std::to_string(index) : "-", table->label(step.row),
                  step.edit ? std::to_string(*step.edit) : "-", cell(speedup, 3),
                  cell(step.bestSoFar, 3) + (step.isBest ? " *" : "  ")});
    }
    if (context.json)
        printJson({{"level", level}, {"task", task}, {"kernels", list}});
    else
        fmt::print("{}{}; * raised the best\n", text.text(), quantities::counted(double(steps.size()), "kernel"));
    return exitSuccess;
}

} // namespace

void addArchiveStats(CLI::App& archive, Context& context) {
    auto options = std::make_shared<StatsCommand>();
    auto* command =
        archive.add_subcommand("stats", "Count kernels, correct kernels and speed-ups; everything with --json");
    addArchiveOption(*command, options->path);
    addVerdictsOption(*command, options->verdicts);
    command->add_flag("--tasks", options->perTask, "Also one line for each task");
    command->add_flag("--no-profiles", options->noProfiles, "With --json: leave out what is read from the profiles");
    command->callback([options, &context] { context.exitCode = runStats(context, *options); });
}

void addArchiveLineage(CLI::App& archive, Context& context) {
    struct Options {
        std::filesystem::path path;
        std::string task;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        archive.add_subcommand("lineage", "List the kernels of a task in the order in which they were made");
    addArchiveOption(*command, options->path);
    command->add_option("TASK", options->task, "LEVEL/TASK")->required()->check([](const std::string& text) {
        int level = 0, task = 0;
        char rest = 0;
        return std::sscanf(text.c_str(), "%d/%d%c", &level, &task, &rest) == 2
                   ? std::string()
                   : std::string("should be LEVEL/TASK, as in 1/23");
    });
    command->callback([options, &context] {
        int level = 0, task = 0;
        std::sscanf(options->task.c_str(), "%d/%d", &level, &task);
        context.exitCode = runLineage(context, options->path, level, task);
    });
}

} // namespace kernelarium::cli
