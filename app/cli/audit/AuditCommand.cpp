// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/Workers.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/ArchiveFilters.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "app/cli/audit/AuditLines.h"
#include "app/cli/audit/AuditReport.h"
#include "app/cli/cluster/ClusterRun.h"
#include "gpu/cluster/AuditArray.h"
#include "gpu/protocol/TrialJudge.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <thread>

namespace kernelarium::cli {

namespace {

struct AuditCommandOptions {
    QueryOptions query;
    std::filesystem::path verdicts;
    std::filesystem::path out;
    std::string shard = "1/1";
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    bool jobsGiven = false;
    audit::PlanOptions plan;
    ClusterOptions cluster;
    std::vector<std::string> arguments; ///< that a cluster's task is called with
    bool part = false;
};

/// The kernels that the filters leave, as the archive orders them.
Result<std::vector<audit::Candidate>> candidatesOf(const QueryOptions& options, const std::filesystem::path& verdicts) {
    auto archive = archive::Archive::open(options.path);
    if (!archive) return archive.error();
    auto query = completed(options);
    if (!query) return query.error();
    if (auto given = giveVerdicts(*query, options.path, verdicts); !given) return given.error();
    auto listed = listKernels(*archive, *query);
    if (!listed) return listed.error();
    std::vector<audit::Candidate> candidates;
    for (const archive::KernelSummary& kernel : listed->kernels)
        candidates.push_back(audit::candidateOf(kernel));
    return candidates;
}

Result<audit::VerdictIndex> knownVerdicts(const std::filesystem::path& verdicts) {
    auto store = audit::VerdictStore::openExisting(verdicts);
    if (!store) return store.error();
    if (!*store) return audit::VerdictIndex{};
    auto all = (*store)->all();
    if (!all) return all.error();
    return audit::indexOf(std::move(*all));
}

/// Judges what is due and writes the lines. Returns how many were judged.
Result<std::int64_t> judgeDue(const AuditCommandOptions& options, const std::filesystem::path& verdicts,
                              const audit::AuditPlan& plan) {
    AuditLines lines;
    if (!options.out.empty())
        if (Result<void> opened = lines.open(options.out); !opened) return opened.error();
    AuditProgressLine progress;
    Error writing;
    audit::AuditOptions run;
    run.settings = options.plan.settings;
    run.jobs = options.jobs;
    // The running program itself, whatever its file was renamed to meanwhile.
    auto commands = protocol::TrialJudge::sharingCommandsFor("/proc/self/exe", options.jobs);
    commands.archive = options.query.path;
    commands.cards = audit::userCardFolder();
    if (run.settings.backend == "cuda") {
        const Result<protocol::DeviceList> list = makeRunner().devices(shown());
        if (!list) return list.error();
        const protocol::DeviceSummary* gpu = list->gpu();
        if (!gpu)
            return list->missing.value_or(
                Error{"missing_component", "There is no GPU here.", "Use --backend emulator."});
        commands.arch = gpu->arch;
    }
    run.makeJudge = [commands] { return std::make_unique<protocol::TrialJudge>(commands); };
    const StopOnSignal signals;
    std::stop_source stop;
    const std::stop_callback relay(signals.token(), [&stop] { stop.request_stop(); });
    run.judged = [&](const audit::Candidate& candidate, const audit::JudgedKernel& kernel,
                     const audit::AuditProgress& at) {
        progress.show(candidate, kernel, at);
        if (Result<void> written = lines.write(kernel); !written && writing.code.empty()) {
            writing = written.error();
            stop.request_stop();
        }
    };
    Result<std::int64_t> done = audit::runAudit(options.query.path, verdicts, plan.due, run, stop.get_token());
    progress.end();
    if (!writing.code.empty()) return writing;
    return done;
}

/// Says what the selection looks like after the audit, and the exit code that follows from it.
int tell(Context& context, const AuditCommandOptions& options, const std::filesystem::path& verdicts,
         const audit::AuditPlan& plan, std::int64_t before, bool interrupted) {
    const auto known = knownVerdicts(verdicts);
    if (!known) return report(context, known.error());
    audit::TodaysVersions today;
    const audit::AuditSummary summary = audit::summarise(plan.selected, *known, options.plan.settings, today);
    if (context.json) {
        nlohmann::json j = audit::toJson(summary);
        j["db"] = options.query.path.string();
        j["verdicts_file"] = verdicts.string();
        j["shard"] = options.shard;
        j["due"] = plan.due.size();
        j["judged_before"] = before;
        j["interrupted"] = interrupted;
        printJson(j);
    } else {
        fmt::print("{}verdicts in {}\n", auditText(summary), verdicts.string());
        if (interrupted) fmt::print("Interrupted: run the same command again to resume.\n");
    }
    if (interrupted) return exitInterrupted;
    return summary.claims.refuted > 0 ? exitCheckFailed : exitSuccess;
}

Result<cluster::Book> auditArray(cluster::Engine& engine, const AuditCommandOptions& options,
                                 const std::filesystem::path& verdicts, const audit::AuditPlan& plan,
                                 const std::stop_token& stop) {
    const std::filesystem::path folder = cluster::arrayFolder(verdicts);
    Result<bool> underWay = cluster::settleEarlier(engine, folder, stop);
    if (!underWay) return underWay.error();
    std::string title = fmt::format("audit of {}", options.query.path.string());
    for (const std::string& argument : options.arguments)
        if (!argument.starts_with("--db=")) title += " " + argument;
    if (*underWay) {
        Result<cluster::Book> book = cluster::Book::open(folder);
        if (book && book->notes().plan.title != title)
            return Error{"other_search",
                         fmt::format("An array of another audit is under way in {}: {}.", folder.string(),
                                     book->notes().plan.title),
                         "Name another file with --verdicts, or end it with `kernelarium-cli cluster cancel`."};
        if (book) sayGoesOn(*book);
        return book;
    }
    Result<cluster::ArrayWish> wish = arrayWish(options.cluster, options.jobsGiven ? options.jobs : 0, stop);
    if (!wish) return wish.error();
    return cluster::makeAuditArray({title, options.arguments, verdicts, plan, options.plan.settings.backend}, engine,
                                   std::move(*wish));
}

int auditOnCluster(Context& context, const AuditCommandOptions& options, const std::filesystem::path& named,
                   const audit::AuditPlan& plan) {
    if (options.plan.shard.count > 1 || !options.out.empty())
        return report(context, {"bad_usage", "--shard and --out are the tasks' own with --cluster.",
                                "Leave them out: what the tasks find comes into the file of verdicts."});
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine(options.cluster.engine);
    if (!engine) return report(context, engine.error());
    const std::filesystem::path verdicts = std::filesystem::absolute(named);
    const StopOnSignal signals;
    Result<cluster::Book> book = auditArray(**engine, options, verdicts, plan, signals.token());
    if (!book) return report(context, book.error());
    if (options.cluster.detach) return submitOnly(context, **engine, std::move(*book), signals.token());
    Result<cluster::WatchedArray> watched = watchHere(**engine, *book, signals.token());
    if (!watched) return report(context, watched.error());
    if (!context.json) tellArray(context, *watched, book->folder());
    const int ended = exitCodeOf(*watched);
    const int found = tell(context, options, verdicts, plan, plan.current, ended == exitInterrupted);
    return ended == exitSuccess ? found : ended;
}

int runAuditCommand(Context& context, AuditCommandOptions options) {
    const auto shard = audit::parseShard(options.shard);
    if (!shard) return report(context, shard.error());
    options.plan.shard = *shard;
    if (options.cluster.wanted() && !(options.query.verdict + options.query.reason + options.query.remark).empty())
        return report(context, {"bad_usage", "--verdict, --reason and --remark cannot be combined with --cluster.",
                                "The tasks have files of verdicts of their own: choose by what the archive says."});
    const std::filesystem::path verdicts = verdictsOf(options.query.path, options.verdicts);
    const auto candidates = candidatesOf(options.query, verdicts);
    if (!candidates) return report(context, candidates.error());
    const auto known = knownVerdicts(verdicts);
    if (!known) return report(context, known.error());
    audit::TodaysVersions today;
    const audit::AuditPlan plan = audit::planAudit(*candidates, *known, options.plan, today);
    fmt::print(stderr, "{} kernels: {} to judge ({} have an up-to-date verdict, {} a stale one, {} none)\n",
               plan.selected.size(), plan.due.size(), plan.current, plan.stale, plan.missing);
    if (options.cluster.wanted()) return auditOnCluster(context, options, verdicts, plan);
    const Result<std::int64_t> done = judgeDue(options, verdicts, plan);
    const bool interrupted = !done && done.error().code == "cancelled";
    if (!done && !interrupted) return report(context, done.error());
    if (options.part && !interrupted) {
        fmt::print("{} kernels\n", *done);
        return exitSuccess;
    }
    return tell(context, options, verdicts, plan, plan.current, interrupted);
}

/// The options as they were given, but for those that a cluster's tasks get of their own, and those by which what is
/// due was chosen already.
std::vector<std::string> taskArguments(const CLI::App& command, const std::filesystem::path& archive) {
    const std::set<std::string> own{
        "--help",           "--db",           "--cluster", "--cluster-tasks", "--cluster-option",
        "--cluster-detach", "--verdicts",     "--jobs",    "--shard",         "--out",
        "--again",          "--retry-failed", "--part"};
    std::vector<std::string> arguments{"--db=" + std::filesystem::absolute(archive).string()};
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0 || own.contains(option->get_name())) continue;
        const bool flag = option->get_expected_max() == 0;
        for (const std::string& value : option->results())
            arguments.push_back(flag ? option->get_name() : option->get_name() + "=" + value);
    }
    return arguments;
}

} // namespace

void addAuditCommand(CLI::App& app, Context& context) {
    auto options = std::make_shared<AuditCommandOptions>();
    options->query.query.limit = 0;
    auto* command = app.add_subcommand(
        "audit", "Verify every kernel of an archive, or those that match the filters, and keep the verdicts beside "
                 "it.\nOnly kernels without an up-to-date verdict are judged: a killed audit resumes where it stopped. "
                 "Exit code 1 when a\nkernel archived as correct is not correct, 130 when interrupted");
    addArchiveOption(*command, options->query.path);
    addFilterOptions(*command, options->query);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("--jobs", options->jobs, "Kernels judged at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command
        ->add_option("--shard", options->shard,
                     "Only this part of the kernels; `archive merge-verdicts` brings parts together")
        ->option_text("I/N")
        ->capture_default_str();
    command
        ->add_option(
            "--out", options->out,
            "Also write each verdict to this file as it comes, a JSON line each; an existing file is continued")
        ->option_text("FILE.jsonl");
    audit::Settings& settings = options->plan.settings;
    command->add_option("--backend", settings.backend, "Where kernels run. Verdicts of one do not count for the other")
        ->check(CLI::IsMember({"emulator", "cuda"}))
        ->capture_default_str();
    const CLI::Option* size =
        command
            ->add_option("--size", settings.size,
                         "small: shapes for the emulator; full: the tasks' published ones; both, one after the "
                         "other, by default on a GPU")
            ->check(CLI::IsMember({"small", "full", "both"}))
            ->capture_default_str();
    command->add_option("--seed", settings.seed, "Seed of the inputs")->capture_default_str();
    command->add_flag("--fast-math", settings.fastMath, "Compile with --use_fast_math, as the archive was");
    command->add_option("--time-limit", settings.timeLimit, "Seconds for all runs of one kernel together")
        ->check(CLI::Range(0.01, 86400.0))
        ->capture_default_str();
    command->add_flag("--again", options->plan.again, "Also judge kernels that have an up-to-date verdict");
    command->add_flag("--retry-failed", options->plan.retryFailed,
                      "Also judge kernels that timed out or could not be judged last time");
    addClusterOptions(*command, options->cluster);
    addPartOption(*command, options->part);
    command->callback([options, &context, command, size] {
        options->jobsGiven = command->get_option("--jobs")->count() > 0;
        options->arguments = taskArguments(*command, options->query.path);
        if (size->count() == 0 && options->plan.settings.backend == "cuda") options->plan.settings.size = "both";
        context.exitCode = runAuditCommand(context, *options);
    });
}

} // namespace kernelarium::cli
