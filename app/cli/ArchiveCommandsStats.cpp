// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"
#include "core/archive/Statistics.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

nlohmann::json numberOrNull(double value) {
    return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

nlohmann::json statisticsToJson(const archive::GroupStatistics& group) {
    nlohmann::json json = {{"rows", group.rows},
                           {"correct", group.correct},
                           {"incorrect", group.incorrect},
                           {"unknown", group.unknown},
                           {"with_error", group.withError},
                           {"tasks", group.tasks},
                           {"tasks_with_correct", group.tasksWithCorrect},
                           {"tasks_faster_than_native", group.tasksFasterThanNative},
                           {"share_faster_than_native", numberOrNull(group.shareFasterThanNative)},
                           {"share_faster_than_compile", numberOrNull(group.shareFasterThanCompile)},
                           {"share_over_2x_native", numberOrNull(group.shareOverTwiceNative)},
                           {"median_speedup_native", numberOrNull(group.medianSpeedupNative)},
                           {"median_speedup_compile", numberOrNull(group.medianSpeedupCompile)},
                           {"best_speedup_native", numberOrNull(group.bestSpeedupNative)},
                           {"median_runtime_ms", numberOrNull(group.medianRuntime)}};
    if (group.level != 0) json["level"] = group.level;
    if (group.task != 0) json["task"] = group.task;
    return json;
}

nlohmann::json statisticsToJson(const std::vector<archive::GroupStatistics>& groups) {
    auto list = nlohmann::json::array();
    for (const auto& group : groups)
        list.push_back(statisticsToJson(group));
    return list;
}

std::string percent(double share) {
    return std::isnan(share) ? "-" : fmt::format("{:.1f}%", 100 * share);
}

void addRow(TextTable& table, std::string title, const archive::GroupStatistics& group) {
    table.add({std::move(title), std::to_string(group.rows), std::to_string(group.correct),
               std::to_string(group.tasks), std::to_string(group.tasksWithCorrect),
               percent(group.shareFasterThanNative), percent(group.shareFasterThanCompile),
               percent(group.shareOverTwiceNative), cell(group.medianSpeedupNative, 2),
               cell(group.medianSpeedupCompile, 2), cell(group.bestSpeedupNative, 2)});
}

int runStats(Context& context, const std::filesystem::path& path, bool perTask) {
    auto opened = archive::Archive::open(path);
    if (!opened) return report(context, opened.error());
    auto table = opened->table();
    if (!table) return report(context, table.error());
    const auto statistics = archive::computeStatistics(*table);
    if (context.json) {
        auto document = statisticsToJson(statistics.all);
        document["db"] = path.string();
        document["levels"] = statisticsToJson(statistics.levels);
        document["per_task"] = statisticsToJson(statistics.tasks);
        printJson(document);
        return exitSuccess;
    }
    const auto right = TextTable::Align::right;
    TextTable text({{"GROUP"},
                    {"KERNELS", right},
                    {"CORRECT", right},
                    {"TASKS", right},
                    {"SOLVED", right},
                    {">1x NATIVE", right},
                    {">1x COMPILE", right},
                    {">2x NATIVE", right},
                    {"MEDIAN NATIVE", right},
                    {"MEDIAN COMPILE", right},
                    {"BEST", right}});
    addRow(text, "all", statistics.all);
    for (const auto& level : statistics.levels)
        addRow(text, fmt::format("level {}", level.level), level);
    if (perTask)
        for (const auto& task : statistics.tasks)
            addRow(text, fmt::format("L{}/T{}", task.level, task.task), task);
    fmt::print("{}Shares and medians are of kernels archived as correct that have a speed-up.\n",
               text.text());
    return exitSuccess;
}

} // namespace

void addArchiveStats(CLI::App& archive, Context& context) {
    struct Options {
        std::filesystem::path path;
        bool perTask = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = archive.add_subcommand("stats", "How many kernels, how many correct, how fast");
    addArchiveOption(*command, options->path);
    command->add_flag("--tasks", options->perTask, "One line for each task as well");
    command->callback(
        [options, &context] { context.exitCode = runStats(context, options->path, options->perTask); });
}

} // namespace kernelarium::cli
