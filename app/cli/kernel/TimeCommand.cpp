// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TimeCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

using verify::VerdictKind;

Result<void> checkTimeOptions(const JobOptions& options) {
    if (options.file.empty() && options.kernelId.empty())
        return Error{"bad_usage", "No kernel was given.", "Give FILE.cu or --kernel ID."};
    if (options.backend == "emulator")
        return Error{"missing_component",
                     "The emulator has no times to measure: how long it takes says nothing about a GPU.",
                     "Timing needs a GPU: use --backend cuda. `profile` models a time without one."};
    return {};
}

Result<protocol::VerdictAnswer> verifyAt(KernelJob& work, PreparedJob job, const std::string& size) {
    if (job.parameters.card) job.parameters.size = size;
    job.parameters.claim.reset();
    return work.verify(job);
}

/// At the size that is timed; at small size where that asks for more memory or time than there is: the verdict says
/// which.
Result<protocol::VerdictAnswer> verifyFirst(KernelJob& work, const PreparedJob& job, const std::string& asked) {
    const std::string& timed = job.parameters.size;
    Result<protocol::VerdictAnswer> answer = verifyAt(work, job, asked == "small" ? "small" : timed);
    const bool tooLarge =
        answer ? answer->verdict.kind == VerdictKind::timeout : answer.error().code == "out_of_memory";
    if (!tooLarge || !job.parameters.card || asked == "small" || timed == "small") return answer;
    return verifyAt(work, job, "small");
}

std::string verdictWords(const std::optional<protocol::VerdictAnswer>& answer) {
    if (!answer) return "not verified";
    const verify::Verdict& verdict = answer->verdict;
    return fmt::format("{} on {} at size {}", verify::name(verdict.kind), verdict.backend, verdict.size);
}

void printTime(Context& context, const PreparedJob& job, const std::optional<protocol::VerdictAnswer>& verdict,
               const protocol::TimeSummary& summary, std::optional<std::int64_t> attempt) {
    const std::string label = job.source.label + (job.task ? "  (task " + job.task->text() + ")" : "");
    if (!context.json) {
        fmt::print("{}", timeText(summary, label, verdictWords(verdict)));
        if (attempt) fmt::print("kept as attempt {}\n", *attempt);
        return;
    }
    nlohmann::json j = protocol::toJson(summary);
    j["kernel"] = job.source.label;
    j["task"] = job.task ? nlohmann::json(job.task->text()) : nlohmann::json(nullptr);
    j["fast_math"] = job.unit().fastMath;
    j["compile_seconds"] = job.unit().seconds.total;
    j["verdict"] = verdict ? verify::toJson(verdict->verdict) : nlohmann::json(nullptr);
    j["attempt"] = attempt ? nlohmann::json(*attempt) : nlohmann::json(nullptr);
    printJson(j);
}

} // namespace

void addTimeOptions(CLI::App& command, JobOptions& options) {
    options.backend = "cuda";
    options.size = "full";
    options.timeLimit = 120;
    command
        .add_option("--mode", options.timeMode,
                    "cold: the L2 cache is flushed before each call; hot: calls back to back; server: "
                    "requests at random times, the cache cold")
        ->check(CLI::IsMember({"cold", "hot", "server"}))
        ->capture_default_str();
    command.add_option("--rate", options.requestRate, "With --mode server: requests in a second")
        ->check(CLI::Range(0.01, 1e6))
        ->capture_default_str();
    command.add_option("--requests", options.requests, "With --mode server: how many")
        ->check(CLI::Range(2, 1'000'000))
        ->capture_default_str();
    command.add_option("--sample-seconds", options.sampleSeconds, "How long samples are taken at most")
        ->check(CLI::Range(0.01, 3600.0))
        ->capture_default_str();
    command.add_option("--against", options.against, "Another kernel, to say which is faster from pairs A B B A ...")
        ->option_text("OTHER.cu");
    command
        .add_option("--baselines", options.baselines,
                    "What else is timed for the same task: libraries (cuBLAS where it is one matrix product, "
                    "cuDNN where it is one convolution), torch (PyTorch as it is and compiled, in your Python), or all")
        ->check(CLI::IsMember({"none", "libraries", "torch", "all"}))
        ->capture_default_str();
    command
        .add_option(
            "--verify-size", options.verifySize,
            "At which size it is verified first: the one that is timed (small where that is too large), or small")
        ->check(CLI::IsMember({"timed", "small"}))
        ->capture_default_str();
    command.add_flag("--unverified", options.unverified, "Do not verify it first");
    command.add_flag("--no-energy", options.noEnergy, "Leave out the energy of a call, which takes a second more");
    command.add_option("--session", options.sessionFile, "Keep it as an attempt in this session file")
        ->option_text("FILE");
}

void runTime(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkTimeOptions(options); !checked) return void(report(context, checked.error()));
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    if (!job->unit().ok)
        return void(report(context, {"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                                     protocol::errorsText(job->unit())}));
    std::optional<protocol::VerdictAnswer> verdict;
    if (!options.unverified) {
        Result<protocol::VerdictAnswer> found = verifyFirst(work, *job, options.verifySize);
        if (!found) return void(report(context, found.error()));
        verdict = std::move(*found);
        if (!protocol::canBeTimed(verdict->verdict.kind))
            return void(report(context, {"not_timed",
                                         fmt::format("The kernel was not timed: its verdict is {}. {}",
                                                     verify::name(verdict->verdict.kind), verdict->verdict.message),
                                         "See `verify`, or use --unverified."}));
    }
    Result<protocol::TimeSummary> summary = work.time(*job);
    if (!summary) return void(report(context, summary.error()));
    std::optional<std::int64_t> attempt;
    if (!options.sessionFile.empty() && summary->summary.count > 0) {
        Result<std::int64_t> kept = keepTiming(options.sessionFile, *job, options, verdict, *summary);
        if (!kept) return void(report(context, kept.error()));
        attempt = *kept;
    }
    printTime(context, *job, verdict, *summary, attempt);
    const bool right = !verdict || verdict->verdict.kind == VerdictKind::verified;
    context.exitCode =
        summary->summary.count > 0 && right && summary->differingElements == 0 ? exitSuccess : exitCheckFailed;
}

} // namespace kernelarium::cli
