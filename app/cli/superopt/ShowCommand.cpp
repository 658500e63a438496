// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/ShowCommand.h"

#include "app/cli/Context.h"
#include "app/cli/NumberChecks.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/Workers.h"
#include "app/cli/superopt/CandidatesReport.h"
#include "app/cli/superopt/TaskChoice.h"
#include "gpu/protocol/candidates/CandidateVerification.h"

#include <algorithm>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using superopt::Candidate;
using superopt::Candidates;

struct ShownOptions {
    TaskChoice choice;
    std::string candidate;
    bool prove = false, verify = false, code = false;
    double timeLimit = 60; ///< seconds
};

/// Stages on standard error where a person sits there.
void showStage(const std::string& what, std::size_t done, std::size_t all) {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{} ({} of {}) ...\n", what, done + 1, all);
}

/// Those that are asked about: one, or all.
std::vector<Candidate*> chosen(Candidates& candidates, const std::string& name) {
    std::vector<Candidate*> out;
    for (Candidate& c : candidates.all)
        if (name.empty() || c.name == name) out.push_back(&c);
    return out;
}

Result<void> proveThem(const task::Card& card, Candidates& candidates, const std::vector<Candidate*>& which,
                       std::stop_token stop) {
    proof::Options how;
    how.stop = std::move(stop);
    for (std::size_t i = 0; i < which.size(); ++i) {
        showStage("proving " + which[i]->name, i, which.size());
        const Result<void> proved = superopt::proveCandidate(card, candidates, *which[i], how);
        if (!proved && proved.error().code == "cancelled") return proved;
        if (!proved) fmt::print(stderr, "{}: {}\n", which[i]->name, proved.error().text());
    }
    return {};
}

Result<void> verifyThem(const task::Card& card, const ShownOptions& options, const std::vector<Candidate*>& which,
                        std::stop_token stop) {
    protocol::KernelClient compiler = makeCompiler(), runner = makeRunner();
    protocol::CandidateVerification how;
    how.run.timeLimit = std::chrono::milliseconds(std::int64_t(options.timeLimit * 1000));
    const auto shared = std::make_shared<const task::Card>(card);
    protocol::CallOptions call;
    call.stop = std::move(stop);
    for (std::size_t i = 0; i < which.size(); ++i) {
        showStage("verifying " + which[i]->name, i, which.size());
        if (const Result<void> done = protocol::verifyCandidate(compiler, runner, shared, *which[i], how, call); !done)
            return done;
    }
    return {};
}

/// Whether nothing that was looked into speaks against a candidate.
bool isSound(const std::vector<Candidate*>& which) {
    return std::all_of(which.begin(), which.end(), [](const Candidate* c) {
        return (!c->proof || c->proof->verdict == proof::Verdict::equal) &&
               std::all_of(c->verified.begin(), c->verified.end(),
                           [](const superopt::Verified& v) { return v.passed; });
    });
}

void print(const Context& context, const ShownOptions& options, const Candidates& candidates) {
    if (context.json && options.candidate.empty())
        printJson(superopt::toJson(candidates, options.code));
    else if (context.json)
        printJson(superopt::toJson(*candidates.find(options.candidate), options.code));
    else if (options.candidate.empty())
        fmt::print("{}", candidatesText(candidates));
    else
        fmt::print("{}{}", candidateText(candidates, *candidates.find(options.candidate)),
                   options.code ? "\n" + candidates.find(options.candidate)->file.text : "");
}

int showCandidates(Context& context, const ShownOptions& options) {
    const Result<task::Card> card = chosenCard(options.choice);
    if (!card) return report(context, card.error());
    const auto device = chosenDevice(options.choice);
    if (!device) return report(context, device.error());
    const StopOnSignal signals;
    const auto ended = [&](const Error& error) {
        const int code = report(context, error);
        return error.code == "cancelled" ? int(exitInterrupted) : code;
    };
    superopt::CandidateOptions how;
    how.stop = signals.token();
    how.progress = showStage;
    Result<Candidates> candidates = superopt::candidatesOf(*card, options.choice.size, **device, how);
    if (!candidates) return ended(candidates.error());
    if (!options.candidate.empty())
        if (const Result<const Candidate*> found = superopt::named(*candidates, options.candidate); !found)
            return report(context, found.error());
    const std::vector<Candidate*> which = chosen(*candidates, options.candidate);
    if (options.prove)
        if (const Result<void> done = proveThem(*card, *candidates, which, signals.token()); !done)
            return ended(done.error());
    if (options.verify)
        if (const Result<void> done = verifyThem(*card, options, which, signals.token()); !done)
            return ended(done.error());
    print(context, options, *candidates);
    return isSound(which) ? exitSuccess : exitCheckFailed;
}

} // namespace

void addShowCommand(CLI::App& group, Context& context) {
    const auto options = std::make_shared<ShownOptions>();
    CLI::App* show = group.add_subcommand(
        "show", "Show the kernel files that could be written for a task, the fastest by the model first, and what each "
                "does: exit code 1 if --prove or --verify speaks against one");
    addTaskChoice(*show, options->choice, "2/50", "The device whose time is modelled");
    show->add_option("--candidate", options->candidate, "This one alone, with its launches, loops and tiles")
        ->option_text("NAME");
    show->add_flag("--prove", options->prove, "Hold the graph of each against the task's own formulas: seconds");
    show->add_flag("--verify", options->verify, "Verify each file in the emulator, at the small and the odd size");
    show->add_flag("--code", options->code, "With the text: of --candidate, or of all with --json");
    show->add_option("--time-limit", options->timeLimit, "Seconds that one run of --verify may take")
        ->check(positiveNumber())
        ->capture_default_str();
    show->callback([&context, options] { context.exitCode = showCandidates(context, *options); });
}

} // namespace kernelarium::cli
