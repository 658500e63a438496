// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/cluster/ClusterRun.h"
#include "app/cli/kernel/KernelJob.h"
#include "app/cli/tune/Budget.h"
#include "app/cli/tune/EmitBest.h"
#include "app/cli/tune/SweepReport.h"
#include "app/cli/tune/TuneSizes.h"
#include "core/perf/DeviceSpec.h"
#include "core/text/Utf8.h"
#include "core/tuning/space/PointText.h"
#include "core/tuning/store/Merge.h"
#include "core/tuning/store/StoreReader.h"
#include "core/tuning/strategies/Compare.h"
#include "core/tuning/strategies/Strategies.h"
#include "gpu/cluster/ArrayScript.h"
#include "gpu/cluster/SweepArray.h"
#include "gpu/protocol/BestText.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

namespace kernelarium::cli {

namespace {

using tuning::Judged;

struct TuneOptions {
    JobOptions job;
    std::string space; ///< SPACE.json
    TuneSizes sizes;
    std::string strategy;
    std::string budget;
    std::filesystem::path store;
    std::uint64_t searchSeed = 1;
    std::string shard = "1/1";
    protocol::EarlierSweep earlier;
    std::string verify = "promising";
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    bool jobsGiven = false;
    bool strategyGiven = false;
    std::size_t rows = 10;
    ClusterOptions cluster;
    bool part = false;
};

struct ShowOptions {
    std::filesystem::path store;
    std::size_t rows = 20;
    std::string text; ///< "best" or a point's key: its text alone
    std::filesystem::path emit;
};

struct CompareWish {
    std::filesystem::path store;
    tuning::CompareOptions options;
};

Result<std::vector<Judged>> allOf(const std::filesystem::path& store) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(store);
    if (!reader) return reader.error();
    std::vector<Judged> all;
    Result<void> read = tuning::eachCandidate(*reader, [&](const Judged& judged) { all.push_back(judged); });
    if (!read) return read.error();
    return all;
}

Result<protocol::SweepRequest> requestOf(const TuneOptions& options) {
    protocol::SweepRequest request;
    if (options.job.file.empty() && options.job.kernelId.empty())
        return Error{"bad_usage", "No kernel was given.", "Give FILE.cu or --kernel ID."};
    JobOptions prepared = options.job;
    // The machine that submits need not have the GPU: then the architecture has to be said.
    const bool gpuElsewhere = options.cluster.wanted() && prepared.backend == "cuda" && !prepared.arch.empty();
    if (gpuElsewhere) prepared.backend = "emulator";
    KernelJob work(prepared);
    Result<PreparedJob> job = work.prepare();
    if (!job && options.cluster.wanted() && options.job.backend == "cuda" && options.job.arch.empty())
        return Error{job.error().code, job.error().message,
                     "The nodes' GPUs decide what is compiled: give --arch, such as sm_90."};
    if (!job) return job.error();
    if (gpuElsewhere) job->parameters.backend = options.job.backend;
    if (!job->parameters.card && job->parameters.arguments.empty())
        return Error{"bad_usage", "There is nothing to run it with.", "Give --task LEVEL/TASK, --card or --arg."};
    if (!job->parameters.card && !job->parameters.referenceUnit && options.verify != "none")
        return Error{"bad_usage", "Nothing says which results are right.",
                     "Give --task, --card or --reference, or leave it open with --verify none."};
    if (!options.space.empty()) {
        Result<KernelSource> file = readKernelFile(options.space); // any text
        if (!file) return file.error();
        if (file->text.empty())
            return Error{"bad_input", fmt::format("{} is empty.", options.space), "Give the JSON file of a space."};
        request.spaceFile = std::move(file->text);
    }
    Result<tuning::TunableText> tunable = protocol::tunableOf(job->source.text, request.spaceFile);
    if (!tunable) return tunable.error();
    request.label = text::asUtf8(job->source.label);
    request.task = job->task ? job->task->text() : "";
    request.tunable = std::move(*tunable);
    request.points.compiler = work.settings();
    request.points.fastMath = options.job.fastMath;
    request.points.arch = work.arch();
    request.points.run = job->parameters;
    request.points.size = options.job.size;
    if (Result<void> taken = takeSizes(options.sizes, request.points); !taken) return taken.error();
    request.points.device = options.job.device;
    request.points.mode = options.job.timeMode;
    using Verify = protocol::PointSettings::Verify;
    request.points.verify = options.verify == "every"  ? Verify::every
                            : options.verify == "none" ? Verify::none
                                                       : Verify::promising;
    request.strategy = options.strategy;
    request.seed = options.searchSeed;
    request.earlier = options.earlier;
    if (!request.earlier.store.empty()) request.earlier.store = std::filesystem::absolute(request.earlier.store);
    Result<tuning::Shard> shard = tuning::shardOf(options.shard);
    if (!shard) return shard.error();
    request.shard = *shard;
    return request;
}

int tell(Context& context, const protocol::SweepRequest& request, const std::filesystem::path& store, std::size_t rows,
         const tuning::Ended* ended, const cluster::WatchedArray* array = nullptr) {
    Result<std::vector<Judged>> all = allOf(store);
    if (!all) return report(context, all.error());
    const Judged* best = protocol::bestOf(*all);
    Result<std::vector<protocol::Confirmation>> confirmed =
        best ? protocol::readConfirmations(store, best->candidate.key) : std::vector<protocol::Confirmation>();
    if (!confirmed) return report(context, confirmed.error());
    const bool stopped = ended && ended->why == tuning::Ended::Why::stopped;
    if (context.json) {
        nlohmann::json j = sweepJson(request, *all, *confirmed);
        j["store"] = store.string();
        if (ended) j["ended"] = stopped ? "stopped" : ended->why == tuning::Ended::Why::budget ? "budget" : "used_up";
        if (ended && !ended->note.empty()) j["note"] = ended->note;
        if (array) j["cluster"] = arrayJson(*array);
        printJson(j);
    } else {
        fmt::print("{}\nkept in {}\n", sweepText(request, *all, *confirmed, rows), printable(store.string()));
        if (ended && !ended->note.empty()) fmt::print("{}\n", ended->note);
        const std::string word = cluster::shellQuoted(store.string());
        if (stopped)
            fmt::print("Interrupted: `tune resume {}` goes on.\n", word);
        else if (best)
            fmt::print("{}: `tune show {} --emit FILE.cu`\n",
                       request.points.sizes.empty() ? "The best one's text" : "One file of the best for each size",
                       word);
    }
    if (stopped) return exitInterrupted;
    return best ? exitSuccess : exitCheckFailed;
}

int sweep(Context& context, protocol::SweepRequest request, const TuneOptions& options,
          const std::filesystem::path& path) {
    Result<tuning::Budget> budget = budgetOf(options.budget);
    if (!budget) return report(context, budget.error());
    request.budget = *budget;
    request.jobs = options.jobs;
    Result<tuning::Store> store = protocol::openSweepStore(path, request);
    if (!store) return report(context, store.error());
    SweepProgressLine line;
    const StopOnSignal signals;
    protocol::SweepWatch watch;
    watch.progress = [&line](const tuning::Progress& progress) { line.show(progress); };
    Result<tuning::Ended> ended = protocol::runSweep(
        request, *store, protocol::TrialJudge::commandsFor("/proc/self/exe", options.jobs), watch, signals.token());
    line.end();
    if (!ended) return report(context, ended.error());
    if (options.part && ended->why != tuning::Ended::Why::stopped) {
        if (context.json)
            printJson({{"store", path.string()}, {"points", ended->progress.done()}});
        else
            fmt::print("{} points\n", ended->progress.done());
        return exitSuccess;
    }
    return tell(context, request, path, options.rows, &*ended);
}

/// Goes on with the array that this sweep has under way, or makes one.
Result<cluster::Book> sweepArray(cluster::Engine& engine, const protocol::SweepRequest& request,
                                 const TuneOptions& options, const std::filesystem::path& target,
                                 const std::stop_token& stop) {
    const std::filesystem::path folder = cluster::arrayFolder(target);
    Result<bool> underWay = cluster::settleEarlier(engine, folder, stop);
    if (!underWay) return underWay.error();
    if (*underWay) {
        Result<protocol::SweepRequest> earlier = cluster::sweepOfArray(folder);
        if (!earlier) return earlier.error();
        const std::string difference =
            tuning::differenceOf(protocol::headerOf(*earlier), protocol::headerOf(request), "in the array", "now");
        if (!difference.empty())
            return Error{"other_search",
                         fmt::format("An array of another sweep is under way in {}: {}.", folder.string(), difference),
                         "Name another --store, or end it with `kernelarium-cli cluster cancel`."};
        Result<cluster::Book> book = cluster::Book::open(folder);
        if (book) sayGoesOn(*book);
        return book;
    }
    Result<cluster::ArrayWish> wish = arrayWish(options.cluster, options.jobsGiven ? options.jobs : 0, stop);
    if (!wish) return wish.error();
    const std::string time = request.budget.looks ? std::string() : options.budget;
    return cluster::makeSweepArray(request, time, target, engine, std::move(*wish));
}

int tuneOnCluster(Context& context, protocol::SweepRequest request, const TuneOptions& options) {
    if (!request.shard.whole())
        return report(context, {"bad_usage", "--shard and --cluster exclude each other.", "Leave one of them out."});
    Result<tuning::Budget> budget = budgetOf(options.budget);
    if (!budget) return report(context, budget.error());
    request.budget = *budget;
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine(options.cluster.engine);
    if (!engine) return report(context, engine.error());
    const std::filesystem::path target = std::filesystem::absolute(options.store);
    const StopOnSignal signals;
    Result<cluster::Book> book = sweepArray(**engine, request, options, target, signals.token());
    if (!book) return report(context, book.error());
    if (options.cluster.detach) return submitOnly(context, **engine, std::move(*book), signals.token());
    Result<cluster::WatchedArray> watched = watchHere(**engine, *book, signals.token());
    if (!watched) return report(context, watched.error());
    std::error_code problem;
    if (!std::filesystem::exists(target, problem)) return tellArray(context, *watched, book->folder());
    if (!context.json) tellArray(context, *watched, book->folder());
    const int found = tell(context, request, target, options.rows, nullptr, &*watched);
    const int ended = exitCodeOf(*watched);
    return ended == exitSuccess ? found : ended;
}

int tune(Context& context, TuneOptions options) {
    Result<protocol::SweepRequest> request = requestOf(options);
    if (!request) return report(context, request.error());
    if (options.store.empty())
        options.store = std::filesystem::path(request->label).filename().replace_extension(".sweep");
    if (options.cluster.wanted()) {
        // Others would search on their own in each task; these two divide the points.
        if (!options.strategyGiven) request->strategy = options.budget.empty() ? "exhaustive" : "random";
        return tuneOnCluster(context, std::move(*request), options);
    }
    return sweep(context, std::move(*request), options, tuning::shardPath(options.store, request->shard));
}

int resume(Context& context, const TuneOptions& options) {
    Result<protocol::SweepRequest> request = protocol::readSweep(options.store);
    if (!request) return report(context, request.error());
    if (!options.strategy.empty()) request->strategy = options.strategy;
    return sweep(context, std::move(*request), options, options.store);
}

int show(Context& context, const ShowOptions& options) {
    Result<protocol::SweepRequest> request = protocol::readSweep(options.store);
    if (!request) return report(context, request.error());
    if (!options.emit.empty()) {
        Result<std::vector<Judged>> all = allOf(options.store);
        return all ? emitBest(context, *request, *all, options.emit) : report(context, all.error());
    }
    if (options.text.empty()) return tell(context, *request, options.store, options.rows, nullptr);
    std::string key = options.text;
    if (key == "best") {
        Result<std::vector<Judged>> all = allOf(options.store);
        if (!all) return report(context, all.error());
        const Judged* best = protocol::bestOf(*all);
        if (!best)
            return report(context, {"nothing_found", "No point has a time and right results.", "See `tune show`."});
        key = best->candidate.key;
    }
    const auto point = request->tunable.space.pointOf(key);
    if (!point)
        return report(context, {"bad_input", fmt::format("`{}` is no point of this sweep.", key),
                                "Give a key as `tune show` lists them: \"TILE=16 UNROLL=4\"."});
    const auto made = tuning::pointText(request->tunable, *point, request->points.compiler, request->points.fastMath);
    if (context.json)
        printJson({{"key", key},
                   {"text", made.text},
                   {"options", text::lineOf(made.settings)},
                   {"fast_math", made.fastMath}});
    else
        fmt::print("{}", made.text);
    return exitSuccess;
}

int merge(Context& context, const std::filesystem::path& target, const std::vector<std::filesystem::path>& inputs) {
    const StopOnSignal signals;
    Result<tuning::MergedStores> merged = tuning::mergeStores(target, inputs, signals.token());
    if (!merged) return report(context, merged.error());
    if (context.json)
        printJson({{"store", target.string()}, {"records", merged->records}, {"dropped", merged->dropped}});
    else
        fmt::print("{}: {} records; {} were there twice.\n", target.string(), merged->records, merged->dropped);
    return exitSuccess;
}

int compare(Context& context, const CompareWish& wish) {
    Result<protocol::SweepRequest> request = protocol::readSweep(wish.store);
    if (!request) return report(context, request.error());
    Result<std::vector<Judged>> all = allOf(wish.store);
    if (!all) return report(context, all.error());
    const StopOnSignal signals;
    Result<tuning::Comparison> found =
        tuning::compareStrategies(request->tunable.space, *all, wish.options, signals.token());
    if (!found) return report(context, found.error());
    if (context.json)
        printJson(comparisonJson(*found));
    else
        fmt::print("{}", comparisonText(*found));
    return exitSuccess;
}

std::vector<std::string> strategyNames() {
    std::vector<std::string> names;
    for (const tuning::StrategyKind& kind : tuning::strategyKinds())
        names.emplace_back(kind.name);
    return names;
}

std::string strategyHelp() {
    std::string help = "How points are chosen; on a cluster, where none is given, by exhaustive, with a budget random:";
    for (const tuning::StrategyKind& kind : tuning::strategyKinds())
        help += fmt::format("\n{}: {}", kind.name, kind.purpose);
    return help;
}

void addRunningOptions(CLI::App& command, TuneOptions& options) {
    command
        .add_option(
            "--budget", options.budget,
            "Points to look at in all (200), or the time that this run takes (90s, 10m, 2h); all points without")
        ->option_text("N|TIME");
    command.add_option("--jobs", options.jobs, "Points looked at at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--rows", options.rows, "Rows of the table; 0: all")->capture_default_str();
}

} // namespace

void addTuneCommands(CLI::App& app, Context& context) {
    auto options = std::make_shared<TuneOptions>();
    options->job.size = "full";
    options->strategy = std::string(tuning::strategyKinds().front().name);
    auto* command = app.add_subcommand(
        "tune",
        "Try a kernel with other constants: those that comments like `// tune: 8, 16, 32` mark in its text, or "
        "that a JSON file names.\nEach point is compiled and modelled (with --backend cuda: timed), and those "
        "that may be the best are verified.\nAt the end of a sweep on a GPU the best is confirmed in a fresh "
        "process, against the kernel as it stands.\nThe same command goes on where a killed one ended. Exit code 1 "
        "when no point is right");
    command->require_subcommand(0, 1);
    addJobOptions(*command, options->job);
    command->add_option("--space", options->space, "The space in a JSON file: our form, or Kernel Tuner's T1")
        ->option_text("SPACE.json");
    addSizeOptions(*command, options->sizes);
    command->add_option("--strategy", options->strategy, strategyHelp())
        ->check(CLI::IsMember(strategyNames()))
        ->capture_default_str();
    command->add_option("--store", options->store, "The file that keeps what is found; KERNEL.sweep by default")
        ->option_text("FILE");
    command->add_option("--search-seed", options->searchSeed, "Seed of the strategy's chance")->capture_default_str();
    command->add_option("--shard", options->shard, "Only this part of the points; `tune merge` brings parts together")
        ->option_text("I/N")
        ->capture_default_str();
    command
        ->add_option("--verify", options->verify,
                     "promising: points as fast as the best so far; every: all; none: results are not looked at")
        ->check(CLI::IsMember({"promising", "every", "none"}))
        ->capture_default_str();
    command
        ->add_option("--modelled", options->earlier.store,
                     "The store of an earlier sweep of this text, such as one on nodes without a GPU: points that it "
                     "refused or found wrong,\nor slower than --modelled-within times its best, are not looked at")
        ->option_text("STORE");
    command->add_option("--modelled-within", options->earlier.within, "0: none is left out for its time")
        ->check(CLI::Range(0.0, 1e9))
        ->capture_default_str();
    std::vector<std::string> devices;
    for (const perf::DeviceSpec& device : perf::deviceSpecs())
        devices.push_back(device.id);
    command->add_option("--device", options->job.device, "Whose time is modelled")
        ->check(CLI::IsMember(devices))
        ->capture_default_str();
    command->add_option("--mode", options->job.timeMode, "With --backend cuda: cold or hot L2 cache")
        ->check(CLI::IsMember({"cold", "hot"}))
        ->capture_default_str();
    addRunningOptions(*command, *options);
    addClusterOptions(*command, options->cluster);
    command->callback([options, command, &context] {
        options->jobsGiven = command->get_option("--jobs")->count() > 0;
        options->strategyGiven = command->get_option("--strategy")->count() > 0;
        if (command->get_subcommands().empty()) context.exitCode = tune(context, *options);
    });

    auto shown = std::make_shared<ShowOptions>();
    auto* showing = command->add_subcommand("show", "What a sweep has found, also while it runs; or a point's text");
    showing->add_option("store", shown->store, "The sweep's store")->required()->option_text("STORE");
    showing->add_option("--rows", shown->rows, "Rows of the table; 0: all")->capture_default_str();
    showing->add_option("--text", shown->text, "Print the text of the best point, or of this one, and nothing else")
        ->option_text("best|KEY");
    addEmitOption(*showing, shown->emit);
    showing->callback([shown, &context] { context.exitCode = show(context, *shown); });

    auto resumed = std::make_shared<TuneOptions>();
    auto* resuming = command->add_subcommand(
        "resume", "Go on with a sweep from its store alone: the kernel's file is not read again");
    resuming->add_option("store", resumed->store, "The sweep's store")->required()->option_text("STORE");
    resuming->add_option("--strategy", resumed->strategy, "Another strategy from here on")
        ->check(CLI::IsMember(strategyNames()));
    addRunningOptions(*resuming, *resumed);
    addPartOption(*resuming, resumed->part);
    resuming->callback([resumed, &context] { context.exitCode = resume(context, *resumed); });

    auto target = std::make_shared<std::filesystem::path>();
    auto inputs = std::make_shared<std::vector<std::filesystem::path>>();
    auto* merging = command->add_subcommand("merge", "Bring the stores of a sweep's shards together");
    merging->add_option("target", *target, "Made, or added to")->required()->option_text("STORE");
    merging->add_option("inputs", *inputs, "Stores of the same sweep")->required()->option_text("PART...");
    merging->callback([target, inputs, &context] { context.exitCode = merge(context, *target, *inputs); });

    auto wish = std::make_shared<CompareWish>();
    auto* comparing = command->add_subcommand(
        "compare", "Let every strategy search a recorded sweep, the more complete the better: which one finds the best "
                   "after how many points");
    comparing->add_option("store", wish->store, "The recorded sweep")->required()->option_text("STORE");
    comparing->add_option("--seeds", wish->options.seeds, "Searches of each strategy")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    comparing->callback([wish, &context] { context.exitCode = compare(context, *wish); });
}

} // namespace kernelarium::cli
