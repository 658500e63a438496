// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/SearchCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/cluster/ClusterRun.h"
#include "app/cli/superopt/FoundCommand.h"
#include "app/cli/superopt/SearchReport.h"
#include "app/cli/superopt/TaskChoice.h"
#include "app/cli/tune/Budget.h"
#include "core/quantities/Quantities.h"
#include "core/superopt/search/SearchStore.h"
#include "core/tuning/store/Merge.h"
#include "gpu/cluster/ArrayScript.h"
#include "gpu/cluster/GraphArray.h"

#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using superopt::FoundTable;
using superopt::GraphSearch;
namespace fs = std::filesystem;

struct GraphOptions {
    TaskChoice choice;
    mugraph::Limits limits;
    fs::path store;
    std::string budget;
    std::string shard = "1/1";
    unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    bool threadsGiven = false;
    std::size_t rows = 20;
    bool part = false;
    ClusterOptions cluster;
};

Result<GraphSearch> searchOf(const GraphOptions& options) {
    Result<task::Card> card = chosenCard(options.choice);
    if (!card) return card.error();
    GraphSearch search{std::move(*card), options.choice.size, options.limits};
    search.limits.device = options.choice.device;
    if (auto device = chosenDevice(options.choice); !device) return device.error();
    return search;
}

fs::path defaultStore(const GraphOptions& options, const GraphSearch& search) {
    if (!options.choice.card.empty()) return fs::path(options.choice.card).filename().replace_extension(".graphs");
    return fmt::format("task-{}-{}.graphs", search.card.level, search.card.task);
}

/// Prints what the store has; right ones make the exit code 0.
int tellFound(Context& context, const GraphSearch& search, const fs::path& path, std::uint64_t units, std::size_t rows,
              const superopt::UnitSearchEnd* end, const cluster::WatchedArray* array = nullptr) {
    Result<FoundTable> table = FoundTable::read(path);
    if (!table) return report(context, table.error());
    const bool stopped = end && end->why == tuning::Ended::Why::stopped;
    if (context.json) {
        nlohmann::json j = foundJson(search, *table, units, false);
        j["store"] = path.string();
        if (end) {
            j["ended"] = stopped ? "stopped" : end->why == tuning::Ended::Why::budget ? "budget" : "used_up";
            j["states_per_second"] = end->progress.statesPerSecond;
            j["seconds"] = end->progress.units.seconds;
            j["exploring_seconds"] = end->progress.exploring;
            j["climbing_seconds"] = end->progress.climbing;
            j["states_per_thread_second"] = end->progress.statesPerThreadSecond;
        }
        if (array) j["cluster"] = arrayJson(*array);
        printJson(j);
    } else {
        fmt::print("{}", foundText(search, *table, units, rows));
        if (end && end->progress.units.seconds > 0)
            fmt::print("\n{:.1f} s in this run; of the threads' time {:.2f} s exploring, {} states a second and "
                       "thread, and {:.1f} s on the ladder\n",
                       end->progress.units.seconds, end->progress.exploring,
                       quantities::count(end->progress.statesPerThreadSecond), end->progress.climbing);
        const std::string word = cluster::shellQuoted(path.string());
        fmt::print("kept in {}\n", printable(path.string()));
        if (stopped) fmt::print("Interrupted: `superopt resume {}` goes on.\n", word);
    }
    if (stopped) return exitInterrupted;
    return table->best() ? exitSuccess : exitCheckFailed;
}

Result<std::vector<std::string>> unitsOf(const GraphSearch& search) {
    auto source = superopt::makeGraphSource(search);
    if (!source) return source.error();
    return (*source)->units({});
}

int searchHere(Context& context, const GraphSearch& search, const GraphOptions& options, const fs::path& path,
               const tuning::Shard& shard) {
    Result<tuning::Budget> budget = budgetOf(options.budget);
    if (!budget) return report(context, budget.error());
    auto source = superopt::makeGraphSource(search);
    if (!source) return report(context, source.error());
    const StopOnSignal signals;
    Result<std::vector<std::string>> units = (*source)->units(signals.token());
    if (!units) return report(context, units.error());
    Result<tuning::Store> store =
        superopt::openSearchStore(path, (*source)->identity(), superopt::toJson(search), shard);
    if (!store) return report(context, store.error());
    UnitProgressLine line;
    superopt::UnitSearchWatch watch;
    watch.progress = [&line](const superopt::UnitProgress& progress) { line.show(progress); };
    Result<superopt::UnitSearchEnd> end =
        superopt::runUnitSearch(**source, *store, shard, {options.threads, *budget}, watch, signals.token());
    line.end();
    if (!end) return report(context, end.error());
    if (options.part && end->why != tuning::Ended::Why::stopped) {
        if (context.json)
            printJson({{"store", path.string()}, {"units", end->progress.units.done()}});
        else
            fmt::print("{} units\n", end->progress.units.done());
        return exitSuccess;
    }
    return tellFound(context, search, path, units->size(), options.rows, &*end);
}

/// Goes on with the array that this search has under way, or makes one.
Result<cluster::Book> graphArray(cluster::Engine& engine, const GraphSearch& search, const GraphOptions& options,
                                 const fs::path& target, const std::stop_token& stop) {
    auto source = superopt::makeGraphSource(search);
    if (!source) return source.error();
    const cluster::GraphArrayWish wish{fmt::format("graphs for task {}", search.card.key()), superopt::toJson(search),
                                       (*source)->identity(), target, options.budget};
    const fs::path folder = cluster::arrayFolder(target);
    Result<bool> underWay = cluster::settleEarlier(engine, folder, stop);
    if (!underWay) return underWay.error();
    if (*underWay) {
        if (Result<void> same = cluster::checkGraphArray(folder, wish); !same) return same.error();
        Result<cluster::Book> book = cluster::Book::open(folder);
        if (book) sayGoesOn(*book);
        return book;
    }
    Result<cluster::ArrayWish> how = arrayWish(options.cluster, options.threadsGiven ? options.threads : 0, stop);
    if (!how) return how.error();
    Result<std::vector<std::string>> units = (*source)->units(stop);
    if (!units) return units.error();
    return cluster::makeGraphArray(wish, *units, engine, std::move(*how));
}

int searchOnCluster(Context& context, const GraphSearch& search, const GraphOptions& options) {
    if (options.shard != "1/1")
        return report(context, {"bad_usage", "--shard and --cluster exclude each other.", "Leave one of them out."});
    if (Result<tuning::Budget> budget = budgetOf(options.budget); !budget)
        return report(context, budget.error());
    else if (budget->looks)
        return report(context, {"bad_usage", "On a cluster a budget is a time, which is each task's own.",
                                "Give --budget as in 10m, or leave it out."});
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine(options.cluster.engine);
    if (!engine) return report(context, engine.error());
    const fs::path target = fs::absolute(options.store);
    const StopOnSignal signals;
    Result<cluster::Book> book = graphArray(**engine, search, options, target, signals.token());
    if (!book) return report(context, book.error());
    if (options.cluster.detach) return submitOnly(context, **engine, std::move(*book), signals.token());
    Result<cluster::WatchedArray> watched = watchHere(**engine, *book, signals.token());
    if (!watched) return report(context, watched.error());
    std::error_code problem;
    if (!fs::exists(target, problem)) return tellArray(context, *watched, book->folder());
    if (!context.json) tellArray(context, *watched, book->folder());
    Result<std::vector<std::string>> units = unitsOf(search);
    const int found = tellFound(context, search, target, units ? units->size() : 0, options.rows, nullptr, &*watched);
    const int ended = exitCodeOf(*watched);
    return ended == exitSuccess ? found : ended;
}

int searchGraphs(Context& context, GraphOptions options) {
    Result<GraphSearch> search = searchOf(options);
    if (!search) return report(context, search.error());
    if (options.store.empty()) options.store = defaultStore(options, *search);
    Result<tuning::Shard> shard = tuning::shardOf(options.shard);
    if (!shard) return report(context, shard.error());
    if (options.cluster.wanted()) return searchOnCluster(context, *search, options);
    return searchHere(context, *search, options, tuning::shardPath(options.store, *shard), *shard);
}

int resumeSearch(Context& context, const GraphOptions& options) {
    Result<superopt::SearchSaid> said = superopt::readSearchStore(options.store);
    if (!said) return report(context, said.error());
    Result<GraphSearch> search = superopt::graphSearchFrom(said->subject);
    if (!search) return report(context, search.error());
    return searchHere(context, *search, options, options.store, said->header.shard);
}

int mergeSearches(Context& context, const fs::path& target, const std::vector<fs::path>& inputs) {
    for (const fs::path& input : inputs)
        if (Result<superopt::SearchSaid> said = superopt::readSearchStore(input); !said)
            return report(context, said.error());
    const StopOnSignal signals;
    Result<tuning::MergedStores> merged = tuning::mergeStores(target, inputs, signals.token());
    if (!merged) return report(context, merged.error());
    Result<FoundTable> table = FoundTable::read(target);
    if (!table) return report(context, table.error());
    const superopt::FoundCounts& counts = table->counts();
    if (context.json)
        printJson({{"store", target.string()},
                   {"records", merged->records},
                   {"dropped", merged->dropped},
                   {"units", counts.units},
                   {"right", counts.right},
                   {"undecided", counts.undecided},
                   {"refused", counts.refused},
                   {"faults", counts.faults}});
    else
        fmt::print("{}: {} units; {} right, {} undecided, {} refused; {} records were there twice.\n{}",
                   printable(target.string()), counts.units, counts.right, counts.undecided, counts.refused,
                   merged->dropped, counts.faults > 0 ? "Rungs disagree on some: `superopt found` names them.\n" : "");
    return exitSuccess;
}

void addSearchRunning(CLI::App& command, GraphOptions& options) {
    command
        .add_option("--budget", options.budget,
                    "Units to explore in all (200), or the time that this run takes (90s, 10m, 2h); all without")
        ->option_text("N|TIME");
    command.add_option("--threads", options.threads, "Units explored at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--rows", options.rows, "Rows of the table; 0: all")->capture_default_str();
}

} // namespace

void addSearchCommands(CLI::App& group, Context& context) {
    const auto options = std::make_shared<GraphOptions>();
    CLI::App* search = group.add_subcommand(
        "search",
        "Enumerate the graphs that could compute a task, and hold what is found against it, rung by rung.\nCtrl+C and "
        "a killed process cost the units that are open, and nothing else: the same command goes on. Exit code 1 when "
        "no graph is right");
    addTaskChoice(*search, options->choice, "4/3", "The device whose shared memory and rates bound the search");
    search->add_option("--operators", options->limits.operators, "Operators of a graph at most, its inputs counted")
        ->capture_default_str();
    search
        ->add_option("--unit-depth", options->limits.unitDepth,
                     "Operators that a unit prescribes: more make more and smaller units")
        ->capture_default_str();
    search
        ->add_option("--store", options->store, "The file that keeps what is found; task-LEVEL-TASK.graphs by default")
        ->option_text("FILE");
    search->add_option("--shard", options->shard, "Only this part of the units; `superopt merge` brings parts together")
        ->option_text("I/N")
        ->capture_default_str();
    addSearchRunning(*search, *options);
    addClusterOptions(*search, options->cluster);
    search->callback([options, search, &context] {
        options->threadsGiven = search->get_option("--threads")->count() > 0;
        context.exitCode = searchGraphs(context, *options);
    });

    const auto resumed = std::make_shared<GraphOptions>();
    CLI::App* resume = group.add_subcommand("resume", "Go on with a search for graphs from its store alone");
    resume->add_option("store", resumed->store, "The search's store")->required()->option_text("STORE");
    addSearchRunning(*resume, *resumed);
    addPartOption(*resume, resumed->part);
    resume->callback([resumed, &context] { context.exitCode = resumeSearch(context, *resumed); });

    addFoundCommand(group, context);

    const auto target = std::make_shared<fs::path>();
    const auto inputs = std::make_shared<std::vector<fs::path>>();
    CLI::App* merge = group.add_subcommand("merge", "Bring the stores of a search's shards together");
    merge->add_option("target", *target, "Made, or added to")->required()->option_text("STORE");
    merge->add_option("inputs", *inputs, "Stores of the same search")->required()->option_text("PART...");
    merge->callback([target, inputs, &context] { context.exitCode = mergeSearches(context, *target, *inputs); });
}

} // namespace kernelarium::cli
