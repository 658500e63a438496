// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"
#include "app/cli/StoredVerdicts.h"
#include "core/archive/Statistics.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

using archive::TextKind;

struct ShowOptions {
    std::filesystem::path path;
    std::filesystem::path verdicts;
    std::string id;
    bool code = false, module = false, functional = false, error = false;
    std::string profile;

    /// The one text that was asked for; nothing: the summary.
    [[nodiscard]] std::optional<TextKind> wanted() const {
        if (code) return TextKind::cudaCode;
        if (module) return TextKind::moduleCode;
        if (functional) return TextKind::functionalCode;
        if (error) return TextKind::error;
        return archive::textKindFromWord(profile);
    }
};

nlohmann::json numberOrNull(double value) {
    return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

Error noSuchText(const archive::KernelSummary& kernel, TextKind kind) {
    const auto& info = archive::textKinds[archive::indexOf(kind)];
    return {"missing_text", fmt::format("{} has no {}.", kernel.label(), info.published),
            "`archive show` without options says which texts are there."};
}

void printSummary(const archive::KernelSummary& kernel, const std::string& extra, const std::string& verdict) {
    const auto line = [](std::string_view name, std::string_view value) {
        fmt::print("{:<16} {}\n", name, printable(value));
    };
    const auto yes = [](bool value) { return value ? "yes" : "no"; };
    line("kernel", kernel.label());
    line("number", std::to_string(kernel.id));
    line("operator", kernel.opName);
    line("code", fmt::format("{} bytes, sha256 {}", kernel.codeBytes, archive::toHex(kernel.codeHash)));
    line("archived as", !kernel.correct ? "not known" : *kernel.correct ? "correct" : "incorrect");
    line("verified", verdict);
    line("error kind", archive::errorKindWord(kernel.errorKind));
    line("max diff", kernel.maxDiff ? fmt::format("{:g}", *kernel.maxDiff) : "-");
    line("runtime", fmt::format("{} ms (native {}, compile {})", cell(kernel.runtime, 4),
                                cell(kernel.nativeRuntime, 4), cell(kernel.compileRuntime, 4)));
    line("speed-up", fmt::format("{} x native, {} x compile", cell(kernel.speedupNative, 3),
                                 cell(kernel.speedupCompile, 3)));
    line("origin", kernel.originalIndex ? fmt::format("{}, index {}", kernel.origin, *kernel.originalIndex)
                                        : kernel.origin);
    line("module code", yes(kernel.hasModule));
    line("functional code", yes(kernel.hasFunctional));
    line("error text", yes(kernel.hasError));
    line("profiles", fmt::format("ncu {}, torch {}, clang-tidy {}", yes(kernel.hasNcu), yes(kernel.hasTorch),
                                 yes(kernel.hasTidy)));
    if (!extra.empty()) line("other columns", extra);
}

int showText(Context& context, archive::Archive& opened, const archive::KernelSummary& kernel,
             TextKind kind) {
    auto text = opened.text(kernel.id, kind);
    if (!text) return report(context, text.error());
    if (!*text) return report(context, noSuchText(kernel, kind));
    if (!context.json) {
        fwrite((*text)->data(), 1, (*text)->size(), stdout); // exactly as archived, so that its hash holds
        return exitSuccess;
    }
    auto document = toJson(kernel);
    document[std::string(archive::textKinds[archive::indexOf(kind)].published)] = **text;
    printJson(document);
    return exitSuccess;
}

int runShow(Context& context, const ShowOptions& options) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    auto kernel = opened->find(options.id);
    if (!kernel) return report(context, kernel.error());
    if (const auto kind = options.wanted()) return showText(context, *opened, *kernel, *kind);
    auto extra = opened->extraJson(kernel->id);
    if (!extra) return report(context, extra.error());
    StoredVerdicts verdicts(options.path, options.verdicts);
    if (context.json) {
        auto document = toJson(*kernel);
        document["our_verdict"] = verdicts.jsonOf(*kernel);
        if (!extra->empty()) document["other_columns"] = nlohmann::json::parse(*extra);
        printJson(document);
    } else {
        printSummary(*kernel, *extra, verdicts.wordOf(*kernel));
    }
    return exitSuccess;
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

void addArchiveShow(CLI::App& archive, Context& context) {
    auto options = std::make_shared<ShowOptions>();
    auto* command =
        archive.add_subcommand("show", "Show one kernel, or one of its texts exactly as archived");
    addArchiveOption(*command, options->path);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("ID", options->id, "Number, label (L1/T1/name@hash) or its unique beginning")
        ->required();
    auto* texts = command->add_option_group("text");
    texts->add_flag("--code", options->code, "The CUDA source");
    texts->add_flag("--module", options->module, "The PyTorch module's code");
    texts->add_flag("--functional", options->functional, "The functional PyTorch code");
    texts->add_flag("--error", options->error, "The error text");
    texts->add_option("--profile", options->profile, "A profile")
        ->check(CLI::IsMember(std::vector<std::string>{"ncu", "torch", "clang-tidy"}));
    texts->require_option(0, 1);
    command->callback([options, &context] { context.exitCode = runShow(context, *options); });
}

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
