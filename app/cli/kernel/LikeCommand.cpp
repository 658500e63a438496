// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "app/cli/kernel/KernelSource.h"
#include "core/audit/RowCard.h"
#include "core/quantities/Quantities.h"
#include "core/similar/Likeness.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

using similar::Alike;
using similar::Measure;

struct LikeCommand {
    std::filesystem::path path;
    std::filesystem::path verdicts;
    std::string kernel;
    std::string task;
    bool onlyOperators = false;
    bool onlyCode = false;
    similar::LikeQuery query;
};

bool isFile(const std::string& named) {
    return named.ends_with(".cu") || named.ends_with(".cuh") || named.find('/') == 0 || named.starts_with("./");
}

/// A text of the user's, of the task that --task or its first comment names.
Result<similar::Subject> typedSubject(const LikeCommand& command) {
    auto source = readKernelFile(command.kernel);
    if (!source) return source.error();
    similar::Subject subject;
    subject.code = std::move(source->text);
    if (source->task) {
        subject.level = source->task->level;
        subject.task = source->task->task;
    }
    return subject;
}

Result<similar::Subject> subjectOf(const LikeCommand& command, archive::Archive& opened,
                                   similar::TaskOperators& tasks) {
    Result<similar::Subject> subject = Error{};
    if (isFile(command.kernel)) {
        subject = typedSubject(command);
    } else {
        auto kernel = opened.find(command.kernel);
        if (!kernel) return kernel.error();
        subject = similar::archivedSubject(opened, *kernel);
        auto table = opened.sharedTable();
        if (!table) return table.error();
        const auto place = std::find((*table)->id.begin(), (*table)->id.end(), kernel->id);
        if (const auto* operators = tasks.of(**table, std::size_t(place - (*table)->id.begin())); subject && operators)
            subject->operators = *operators;
    }
    if (!subject) return subject;
    if (!command.task.empty()) {
        auto named = parseTaskName(command.task);
        if (!named) return named.error();
        if (named->level != subject->level || named->task != subject->task) // its times are of another task
            subject->runtime = subject->speedup = std::numeric_limits<double>::quiet_NaN();
        subject->level = named->level;
        subject->task = named->task;
        subject->opName.clear();
        subject->operators.clear();
    }
    if (subject->operators.empty() && subject->task != 0 && subject->opName.empty()) {
        auto card = task::loadCard(subject->level, subject->task);
        if (!card && !command.task.empty()) return card.error();
        if (card) subject->operators = similar::operatorsOf(*card);
    }
    return subject;
}

void showIndexing(std::size_t done, std::size_t all) {
    if (::isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\rIndexing code: {} of {}\033[K{}", done, quantities::counted(double(all), "text"),
               done == all ? "\n" : "");
    std::fflush(stderr);
}

std::string_view measureWord(Measure measure) {
    switch (measure) {
    case Measure::none: return "none";
    case Measure::time: return "archived_time";
    case Measure::speedup: return "speedup_over_pytorch";
    case Measure::ownSpeedup: return "own_speedup_over_pytorch";
    }
    return "none";
}

std::string gainCell(const Alike& alike) {
    switch (alike.measure) {
    case Measure::none: return "-";
    case Measure::time: return fmt::format("{:.2f}x as fast", alike.gain);
    case Measure::speedup: return fmt::format("{:.2f}x as far ahead", alike.gain);
    case Measure::ownSpeedup: return fmt::format("{:.2f}x PyTorch", alike.gain);
    }
    return "-";
}

nlohmann::json orNull(double value) {
    return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

Result<std::vector<archive::KernelSummary>> summariesOf(archive::Archive& opened, const similar::LikeResult& result) {
    auto table = opened.sharedTable();
    if (!table) return table.error();
    std::vector<archive::KernelSummary> summaries;
    for (const Alike& alike : result.found) {
        auto summary = opened.find(std::to_string((*table)->id[alike.row]));
        if (!summary) return summary.error();
        summaries.push_back(std::move(*summary));
    }
    return summaries;
}

void printAlikeJson(const similar::LikeResult& result, const std::vector<archive::KernelSummary>& kernels,
                    const archive::KernelTable& table, StoredVerdicts& verdicts) {
    auto list = nlohmann::json::array();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Alike& alike = result.found[i];
        auto json = withVerdict(kernels[i], verdicts);
        auto same = nlohmann::json::array();
        for (const std::uint32_t row : alike.same)
            same.push_back(table.label(row));
        json["like"] = {{"code", orNull(alike.code)},       {"operators", orNull(alike.operators)},
                        {"shared_operators", alike.shared}, {"standing", similar::name(alike.standing)},
                        {"gain", orNull(alike.gain)},       {"measure", measureWord(alike.measure)},
                        {"same_code", std::move(same)}};
        list.push_back(std::move(json));
    }
    printJson({{"kernels", list},
               {"more", result.more},
               {"operators_unknown", result.operatorsUnknown},
               {"tasks_without_card", result.withoutCard}});
}

void printAlike(const similar::LikeResult& result, const std::vector<archive::KernelSummary>& kernels,
                StoredVerdicts& verdicts) {
    constexpr auto right = TextTable::Align::right;
    TextTable text({{"ID", right},
                    {"KERNEL"},
                    {"ARCHIVED AS"},
                    {"VERIFIED"},
                    {"MS", right},
                    {"x NATIVE", right},
                    {"AGAINST THIS", right},
                    {"CODE", right},
                    {"OPERATORS", right},
                    {"SHARED"}});
    std::size_t same = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Alike& alike = result.found[i];
        const auto& kernel = kernels[i];
        text.add({std::to_string(kernel.id), kernel.label(), claimWord(kernel), verdicts.wordOf(kernel),
                  cell(kernel.runtime, 3), cell(kernel.speedupNative, 2), gainCell(alike), shareCell(alike.code),
                  shareCell(alike.operators), fmt::format("{}", fmt::join(alike.shared, " "))});
        same += alike.same.size();
    }
    fmt::print("{}{}{}{}\n", text.text(), quantities::counted(double(kernels.size()), "kernel"),
               same > 0 ? fmt::format(", and {} with the same code as one of them", same) : "",
               result.more > 0 ? fmt::format("; {} more (--limit 0 shows all)", result.more) : "");
    if (result.operatorsUnknown)
        fmt::print(stderr,
                   "Its operators are not known, because its task has no card (--task names one): only code was "
                   "compared.\n");
}

int runLike(Context& context, const LikeCommand& command) {
    auto opened = archive::Archive::open(command.path);
    if (!opened) return report(context, opened.error());
    similar::TaskOperators tasks(*opened, audit::userCardFolder());
    auto subject = subjectOf(command, *opened, tasks);
    if (!subject) return report(context, subject.error());
    auto given = ownVerdictsOf(command.path, command.verdicts);
    if (!given) return report(context, given.error());
    similar::LikeQuery query = command.query;
    query.byCode = !command.onlyOperators;
    query.byOperators = !command.onlyCode;
    query.verdicts = std::move(*given);
    const StopOnSignal signals;
    const auto index = similar::PieceIndex::of(command.path);
    if (query.byCode)
        if (auto updated = index.update(*opened, showIndexing, signals.token()); !updated)
            return report(context, updated.error());
    auto result = similar::kernelsLike(*opened, index, tasks, *subject, query, signals.token());
    if (!result) return report(context, result.error());
    auto kernels = summariesOf(*opened, *result);
    if (!kernels) return report(context, kernels.error());
    StoredVerdicts verdicts(command.path, command.verdicts);
    if (context.json)
        printAlikeJson(*result, *kernels, **opened->sharedTable(), verdicts);
    else
        printAlike(*result, *kernels, verdicts);
    return exitSuccess;
}

} // namespace

void addArchiveLike(CLI::App& archive, Context& context) {
    auto options = std::make_shared<LikeCommand>();
    options->query.limit = 50;
    auto* command = archive.add_subcommand(
        "like", "Find kernels like one: similar code or the same operators, verified and faster ones first");
    addArchiveOption(*command, options->path);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("kernel", options->kernel, "A file, or a kernel of the archive: number, label or unique name")
        ->required()
        ->option_text("FILE.cu");
    command->add_option("--task", options->task, "The task whose operators count; the kernel's own by default")
        ->option_text("LEVEL/TASK");
    auto* only = command->add_flag("--operators", options->onlyOperators, "Only by operators of the tasks");
    command->add_flag("--code", options->onlyCode, "Only by code")->excludes(only);
    command
        ->add_option("--least-code", options->query.leastCode,
                     "Similar code has at least this share of its pieces in common")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->option_text("SHARE");
    command
        ->add_option("--least-operators", options->query.leastOperators,
                     "Tasks with at least this share of operators in common count as the same")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->option_text("SHARE");
    command->add_flag("--other-tasks", options->query.otherTasks, "Leave out kernels of its own task");
    command->add_flag("--nearest", options->query.nearestFirst, "The most similar ones first, however fast they are");
    command->add_option("--limit", options->query.limit, "At most this many kernels; 0: all")
        ->capture_default_str()
        ->option_text("N");
    command->callback([options, &context] { context.exitCode = runLike(context, *options); });
}

} // namespace kernelarium::cli
