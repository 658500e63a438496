// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/SearchScheduleCommand.h"

#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/schedule/HistoryReport.h"
#include "app/cli/schedule/SearchedKernel.h"
#include "core/schedule/Call.h"
#include "core/schedule/ModelledMeasurer.h"
#include "core/schedule/ScheduleSearch.h"
#include "core/tuning/store/StoreReader.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

namespace fs = std::filesystem;
using schedule::ScheduleEnd;

struct SearchOptions {
    SearchChoice choice;
    schedule::Settings settings;
    fs::path store;
    std::string output;
    bool alternatives = false;
    bool counters = false;
    bool steps = false;
};

int tellHistory(Context& context, const fs::path& path, const SearchOptions& options, const ScheduleEnd* end,
                const schedule::Expectation* expectation) {
    Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(path);
    if (!history) return report(context, history.error());
    if (!options.output.empty())
        if (Result<void> written = exportBest(*history, options.output); !written)
            return report(context, written.error());
    const bool isStopped = end && end->why == ScheduleEnd::Why::stopped;
    const bool hasFaults = history->faults() > 0;
    if (context.json) {
        nlohmann::json j = historyJson(*history, options.steps);
        j["store"] = path.string();
        if (end)
            j["ended"] = isStopped                                    ? "stopped"
                         : end->why == ScheduleEnd::Why::faults       ? "faults"
                         : end->why == ScheduleEnd::Why::nothingMoves ? "nothing_moves"
                                                                      : "done";
        if (expectation) j["expectation"] = toJson(*expectation);
        printJson(j);
    } else {
        fmt::print("{}", printable(historyText(*history)));
        if (end && end->why == ScheduleEnd::Why::faults)
            fmt::print("\nThree proved schedules did not do what the original does: the model of the hardware is wrong "
                       "there. The store has each with its inputs' seed; please report it.\n");
        if (end && end->why == ScheduleEnd::Why::nothingMoves) fmt::print("\nNothing more could be moved.\n");
        if (isStopped && (options.alternatives || options.counters)) // which `resume` does not take
            fmt::print("\nInterrupted: the same command goes on.\n");
        else if (isStopped)
            fmt::print("\nInterrupted: `schedule resume {}` goes on.\n", path.string());
    }
    if (isStopped) return exitInterrupted;
    return hasFaults ? exitCheckFailed : exitSuccess;
}

/// `kernel`: null where only a model is asked and the store suffices.
int run(Context& context, const SearchOptions& options, const schedule::Subject& subject, schedule::Measurer& measurer,
        SearchedKernel* kernel) {
    Result<tuning::Store> store = schedule::openScheduleStore(options.store, subject, options.settings);
    if (!store) return report(context, store.error());
    const schedule::Expectation* expectation = kernel ? &kernel->expectation() : nullptr;
    if (expectation)
        fmt::print(stderr, "{}{}\n",
                   options.settings.mode == schedule::Mode::modelled ? "MODELLED, no GPU is asked. " : "",
                   printable(expectation->words));
    const StopOnSignal signals;
    ScheduleProgressLine line;
    schedule::ScheduleWatch watch;
    watch.progress = [&](const schedule::ScheduleProgress& progress) { line.show(progress); };
    const Result<ScheduleEnd> end =
        schedule::runScheduleSearch(subject, options.settings, measurer, *store, watch, signals.token());
    line.end();
    if (!end) return report(context, end.error());
    ScheduleEnd ended = *end;
    if (ended.why != ScheduleEnd::Why::stopped && kernel && kernel->gpu())
        if (const Result<void> confirmed = protocol::confirmBest(*kernel->gpu(), *store, signals.token()); !confirmed) {
            if (confirmed.error().code != "cancelled") return report(context, confirmed.error());
            ended.why = ScheduleEnd::Why::stopped;
        }
    // The search stands without what is asked for beside it.
    const auto beside = [&](bool isAsked, const char* without, const auto& make) {
        if (!isAsked || !kernel || ended.why == ScheduleEnd::Why::stopped) return;
        const Result<void> made = make();
        if (made) return;
        if (made.error().code == "cancelled")
            ended.why = ScheduleEnd::Why::stopped;
        else
            fmt::print(stderr, "{}: {}\n", without, printable(made.error().text()));
    };
    beside(options.alternatives, "Not assembled",
           [&] { return kernel->addAlternatives(options.choice, *store, signals.token()); });
    beside(options.counters, "Not counted", [&] { return kernel->count(*store, signals.token()); });
    return tellHistory(context, options.store, options, &ended, expectation);
}

int search(Context& context, SearchOptions& options) {
    if (options.choice.backend != "model" && !options.choice.backend.empty() && options.choice.task.empty())
        return report(context, {"bad_input", "A GPU is to be asked, and nothing says with what inputs.",
                                "Give the task: --task LEVEL/TASK."});
    if (options.counters && options.choice.backend == "model")
        return report(context, {"bad_input", "Nsight Compute counts on a GPU, and a model is to be asked.",
                                "Leave --counters out, or use --backend cuda."});
    if (options.alternatives && isElf(options.choice.cubin.file))
        return report(context,
                      {"bad_input", options.choice.cubin.file + " is a cubin, which cannot be compiled otherwise.",
                       "Give the kernel's source, or leave --alternatives out."});
    Result<std::unique_ptr<SearchedKernel>> kernel = SearchedKernel::prepare(options.choice);
    if (!kernel) return report(context, kernel.error());
    options.settings.mode = (*kernel)->mode();
    if (options.store.empty())
        options.store = fs::path(options.choice.cubin.file).filename().replace_extension(".schedule");
    return run(context, options, (*kernel)->subject(), (*kernel)->measurer(), kernel->get());
}

/// Everything is in the store; a GPU also needs the source again, which must compile to the same code.
int resume(Context& context, SearchOptions& options) {
    Result<schedule::StoredSearch> stored = schedule::readScheduleStore(options.store);
    if (!stored) return report(context, stored.error());
    options.settings = stored->settings;
    if (stored->settings.mode == schedule::Mode::modelled) {
        schedule::ModelledMeasurer model(stored->subject);
        return run(context, options, stored->subject, model, nullptr);
    }
    schedule::Call call = schedule::callFrom(stored->subject.call);
    SearchChoice& choice = options.choice;
    choice.cubin.file = std::move(call.file);
    choice.cubin.kernel = stored->subject.kernel;
    choice.cubin.fastMath = call.fastMath;
    choice.cubin.compilerWords = std::move(call.compilerWords);
    choice.task = std::move(call.task);
    choice.size = std::move(call.size);
    choice.timing = std::move(call.timing);
    choice.backend = "cuda";
    return search(context, options);
}

int tableOf(Context& context, const std::vector<std::string>& stores) {
    std::vector<schedule::ScheduleHistory> histories;
    std::vector<std::string> names;
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& store : stores) {
        Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(store);
        if (!history) return report(context, history.error());
        names.push_back(fs::path(store).stem().string());
        all.push_back(historyJson(*history, false));
        all.back()["store"] = store;
        histories.push_back(std::move(*history));
    }
    if (context.json)
        printJson({{"searches", std::move(all)}});
    else
        fmt::print("{}", printable(historiesText(histories, names)));
    return exitSuccess;
}

void addCommon(CLI::App& command, SearchOptions& options) {
    command.add_option("--output", options.output, "Folder for the best schedule: the cubin and a list of patches")
        ->option_text("FOLDER");
    command.add_flag("--steps-too", options.steps, "With --json: every step, and the best schedule's patches");
}

} // namespace

bool isSearchStore(const std::string& file) {
    return bool(tuning::StoreReader::open(file));
}

int showSchedules(Context& context, const std::string& store, bool withSteps, const std::string& output) {
    SearchOptions options;
    options.steps = withSteps;
    options.output = output;
    return tellHistory(context, store, options, nullptr, nullptr);
}

void addSearchScheduleCommands(CLI::App& group, Context& context) {
    const auto options = std::make_shared<SearchOptions>();
    CLI::App* command = group.add_subcommand(
        "search",
        "Look for a faster order of a kernel's instructions by simulated annealing: each schedule is proved, then "
        "timed in pairs with the original on a GPU, or where there is none by a model of one warp.\nCtrl+C and a "
        "killed process cost the step under way: the same command goes on. Exit code 1 when a proved schedule faulted");
    addCubinChoice(*command, options->choice.cubin);
    command->add_option("--task", options->choice.task, "The task that the kernel is called as")
        ->option_text("LEVEL/TASK");
    command->add_option("--size", options->choice.size, sizesHelp)->capture_default_str();
    command
        ->add_option("--backend", options->choice.backend,
                     "cuda: measure on this machine's GPU; model: ask a model of one warp; a GPU where there is one")
        ->check(CLI::IsMember({"cuda", "model"}));
    command
        ->add_option("--timing", options->choice.timing, "What is measured: calls that find a cold or a warm L2 cache")
        ->check(CLI::IsMember({"cold", "hot"}))
        ->capture_default_str();
    command->add_option("--device", options->choice.device, "Whose resident warps are told where no GPU is asked")
        ->capture_default_str();
    command->add_option("--steps", options->settings.steps, "Schedules to look at")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    command->add_option("--seed", options->settings.seed, "Seed of the moves, of what is accepted, and of the inputs")
        ->capture_default_str();
    command
        ->add_option("--worsen", options->settings.worsen,
                     "Begin with a schedule made worse by so many legal moves, and tell how much of it is won back")
        ->check(CLI::Range(0, schedule::Settings::mostWorsening))
        ->capture_default_str();
    command->add_option("--store", options->store, "The file that keeps every step; FILE.schedule by default")
        ->option_text("FILE");
    command->add_flag("--alternatives", options->alternatives,
                      "Also assemble the source under register caps and with other options of ptxas: other code, of "
                      "which nothing is proved");
    command->add_flag("--counters", options->counters,
                      "On a GPU: have Nsight Compute measure memory, L2 and stalls of the original and the best");
    addCommon(*command, *options);
    command->callback([options, &context] { context.exitCode = search(context, *options); });

    const auto resumed = std::make_shared<SearchOptions>();
    CLI::App* again = group.add_subcommand("resume", "Go on with a search for schedules from its store");
    again->add_option("store", resumed->store, "The search's store")->required()->option_text("STORE");
    addCommon(*again, *resumed);
    again->callback([resumed, &context] { context.exitCode = resume(context, *resumed); });

    const auto stores = std::make_shared<std::vector<std::string>>();
    CLI::App* table =
        group.add_subcommand("table", "What several searches for schedules found, a line each, zeros too");
    table->add_option("stores", *stores, "The searches' stores")->required()->option_text("STORE...");
    table->callback([stores, &context] { context.exitCode = tableOf(context, *stores); });
}

} // namespace kernelarium::cli
