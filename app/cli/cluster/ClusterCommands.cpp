// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/cluster/ClusterRun.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

namespace fs = std::filesystem;
using State = cluster::TaskLine::State;

/// An array that someone submitted earlier.
struct EarlierArray {
    fs::path folder;
    cluster::Notes notes;
    std::unique_ptr<cluster::Engine> engine;
    std::unique_ptr<cluster::Work> work;
};

Result<EarlierArray> openArray(const fs::path& named) {
    EarlierArray array;
    Result<fs::path> folder = cluster::arrayFolderOf(named);
    if (!folder) return folder.error();
    array.folder = std::move(*folder);
    Result<cluster::Notes> notes = cluster::readNotes(array.folder);
    if (!notes) return notes.error();
    array.notes = std::move(*notes);
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine(array.notes.plan.engine);
    if (!engine) return engine.error();
    array.engine = std::move(*engine);
    Result<std::unique_ptr<cluster::Work>> work = cluster::makeWork(array.notes.plan, array.folder);
    if (!work) return work.error();
    array.work = std::move(*work);
    return array;
}

nlohmann::json taskJson(const cluster::TaskLine& line) {
    return {{"task", line.task}, {"state", cluster::wordOf(line.state)},
            {"node", line.node}, {"done", line.done},
            {"word", line.word}, {"why", line.why}};
}

int status(Context& context, const fs::path& named) {
    Result<EarlierArray> array = openArray(named);
    if (!array) return report(context, array.error());
    const StopOnSignal signals;
    Result<cluster::ArrayProgress> seen =
        cluster::lookAtArray(*array->engine, array->folder, array->notes, *array->work, signals.token());
    if (!seen) return report(context, seen.error());
    std::vector<std::string> jobs;
    for (const cluster::SubmissionNote& note : array->notes.submissions)
        jobs.push_back(note.job);
    if (context.json) {
        nlohmann::json lines = nlohmann::json::array();
        for (const cluster::TaskLine& line : seen->tasks)
            lines.push_back(taskJson(line));
        nlohmann::json j = arrayJson({cluster::ArrayEnd::stopped, *seen});
        j.erase("ended");
        j["of"] = array->notes.plan.title;
        j["store"] = array->notes.plan.target.string();
        j["job_name"] = array->notes.plan.name;
        j["jobs"] = jobs;
        j["cancelled"] = array->notes.cancelled;
        j["collected"] = array->notes.collected;
        j["lines"] = std::move(lines);
        printJson(j);
        return exitSuccess;
    }
    fmt::print("{}{}{}\n{}, job {}\n\n", array->notes.plan.title, array->notes.cancelled ? ", cancelled" : "",
               array->notes.collected ? ", collected" : "", cluster::textOf(*seen), fmt::join(jobs, ", "));
    TextTable table(
        {{"TASK", TextTable::Align::right}, {"STATE"}, {"DONE", TextTable::Align::right}, {"NODE"}, {"WHY"}});
    for (const cluster::TaskLine& line : seen->tasks)
        table.add({std::to_string(line.task), std::string(cluster::wordOf(line.state)), std::to_string(line.done),
                   line.node.empty() ? "-" : line.node, line.why.empty() ? line.word : printable(line.why)});
    fmt::print("{}", table.text());
    return exitSuccess;
}

int watch(Context& context, const fs::path& named) {
    Result<EarlierArray> array = openArray(named);
    if (!array) return report(context, array.error());
    Result<cluster::Book> book = cluster::Book::open(array->folder);
    if (!book) return report(context, book.error());
    const StopOnSignal signals;
    Result<cluster::WatchedArray> watched = watchHere(*array->engine, *book, signals.token());
    if (!watched) return report(context, watched.error());
    return tellArray(context, *watched, array->folder);
}

int collect(Context& context, const fs::path& named) {
    Result<EarlierArray> array = openArray(named);
    if (!array) return report(context, array.error());
    const StopOnSignal signals;
    if (Result<void> collected = array->work->collect(signals.token()); !collected)
        return report(context, collected.error());
    const std::string target = array->notes.plan.target.string();
    if (context.json)
        printJson({{"store", target}});
    else
        fmt::print("What the tasks have found by now is in {}.\n", target);
    return exitSuccess;
}

int cancel(Context& context, const fs::path& named) {
    Result<EarlierArray> array = openArray(named);
    if (!array) return report(context, array.error());
    const StopOnSignal signals;
    if (Result<void> cancelled = cluster::cancelArray(*array->engine, array->folder, signals.token()); !cancelled)
        return report(context, cancelled.error());
    return collect(context, named);
}

} // namespace

void addClusterCommands(CLI::App& app, Context& context) {
    auto* group =
        app.add_subcommand("cluster", "Go on with what `tune`, `audit` or `superopt search` submitted with --cluster: "
                                      "from any terminal, also after the one that watched was killed");
    group->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, int (*run)(Context&, const fs::path&)) {
        auto named = std::make_shared<fs::path>();
        auto* command = group->add_subcommand(name, help);
        command->add_option("store", *named, "The search's store, the file of verdicts, or the folder beside it")
            ->required()
            ->option_text("STORE");
        command->callback([named, run, &context] { context.exitCode = run(context, *named); });
    };
    add("status", "How its tasks stand, and how much is done", status);
    add("watch", "Watch it to its end: submit lost tasks again, bring the parts together", watch);
    add("collect", "Bring together what its tasks have found by now, also while they run", collect);
    add("cancel", "End its tasks, and keep what they have found", cancel);
}

} // namespace kernelarium::cli
