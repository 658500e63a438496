// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/ProveCommand.h"

#include "app/cli/Context.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/superopt/TaskChoice.h"
#include "core/algebra/explain/Explanation.h"
#include "core/proof/DerivationProof.h"

#include <algorithm>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using proof::Evidence;
using proof::Outcome;
using proof::Stage;

struct ProveOptions {
    TaskChoice choice;
    std::uint64_t seed = 1;
};

std::string evidenceText(const Evidence& e) {
    std::string text = fmt::format("     {:8} {:14} {}\n", proof::name(e.rung),
                                   e.outcome == Outcome::doesNotApply ? "does not apply" : proof::name(e.outcome),
                                   e.outcome == Outcome::passed ? e.drawn : e.reason);
    if (e.errorBound && *e.errorBound < 1)
        text += fmt::format("{:29}Graphs that differ there pass with a probability of at most {:.1g}.\n", "",
                            *e.errorBound);
    if (e.errorBound && *e.errorBound >= 1)
        text += fmt::format("{:29}No bound is known for how often graphs that differ there pass.\n", "");
    if (e.exponentials > 0 && e.outcome == Outcome::passed)
        text += fmt::format("{:29}Up to {} exponentials in an element, {} draws.\n", "", e.exponentials, e.draws);
    for (const std::string& remark : e.remarks)
        text += fmt::format("{:29}{}\n", "", remark);
    if (const auto& c = e.counterexample)
        text += fmt::format("{:29}Output {} at [{}]: {} expected, {} found (seed {}, draw {}).\n", "", c->output,
                            fmt::join(c->element, ", "), c->expected, c->got, c->seed, c->draw);
    return text;
}

std::string stageText(std::size_t number, const Stage& stage) {
    std::string text =
        fmt::format("  {}. {}{}\n     {}\n", number,
                    stage.rules.empty() ? "No rule applies" : fmt::format("{}", fmt::join(stage.rules, ", ")),
                    stage.detail.empty() ? "" : ": " + stage.detail, stage.proof.summary());
    for (const std::string& left : stage.proof.leftOut)
        text += "     Left out, " + left + "\n";
    for (const Evidence& e : stage.proof.rungs)
        text += evidenceText(e);
    return text;
}

bool isAll(const std::vector<Stage>& stages, proof::Verdict verdict) {
    return std::all_of(stages.begin(), stages.end(), [&](const Stage& s) { return s.proof.verdict == verdict; });
}

void print(const Context& context, const algebra::Explanation& e, const std::vector<Stage>& stages) {
    const bool equal = isAll(stages, proof::Verdict::equal);
    if (context.json) {
        nlohmann::json j{
            {"task", e.task}, {"name", e.name}, {"size", e.size}, {"device", e.device->id}, {"equal", equal}};
        j["stages"] = nlohmann::json::array();
        for (const Stage& s : stages)
            j["stages"].push_back({{"rules", s.rules}, {"detail", s.detail}, {"proof", proof::toJson(s.proof)}});
        fmt::print("{}\n", j.dump(2));
        return;
    }
    fmt::print(
        "Task {}  {}: the rewrites of `superopt explain --size {}`, each with all before it held against the task's "
        "own formulas\n",
        e.task, e.name, e.size);
    for (std::size_t i = 0; i < stages.size(); ++i)
        fmt::print("{}", stageText(i + 1, stages[i]));
    std::set<std::string> left;
    for (const Stage& stage : stages)
        for (const Evidence& evidence : stage.proof.rungs)
            if (evidence.outcome == Outcome::passed)
                left.insert(fmt::format("{}: {}", proof::name(evidence.rung), evidence.leavesOut));
    fmt::print("Not covered\n");
    for (const std::string& line : left)
        fmt::print("  {}\n", line);
    fmt::print("{}\n", equal ? "All are equal by this evidence, which is none for sizes that were not drawn."
                             : "Not all of them are shown equal.");
}

int proveTask(Context& context, const ProveOptions& options) {
    const Result<task::Card> card = chosenCard(options.choice);
    if (!card) return report(context, card.error());
    const auto device = chosenDevice(options.choice);
    if (!device) return report(context, device.error());
    const StopOnSignal signals;
    algebra::SearchLimits limits;
    limits.stop = signals.token();
    const Result<algebra::Explanation> explained = algebra::explain(*card, options.choice.size, **device, limits);
    if (!explained) return report(context, explained.error());
    proof::Options how;
    how.seed = options.seed;
    how.stop = signals.token();
    how.mostFieldWork = 1e8; // some seconds at most
    how.mostFloat64Work = 1e8;
    const Result<std::vector<Stage>> stages = proof::proveDerivation(
        *card, explained->derivation, **device, limits, how,
        [](std::size_t stage, std::size_t all) { fmt::print(stderr, "Stage {} of {}\n", stage, all); });
    if (!stages) {
        const int code = report(context, stages.error());
        return stages.error().code == "cancelled" ? exitInterrupted : code;
    }
    print(context, *explained, *stages);
    return isAll(*stages, proof::Verdict::equal) ? exitSuccess : exitCheckFailed;
}

} // namespace

void addProveCommand(CLI::App& group, Context& context) {
    const auto options = std::make_shared<ProveOptions>();
    CLI::App* prove = group.add_subcommand(
        "prove", "Hold each rewrite of `superopt explain` against the task's own formulas, and say what that is worth");
    addTaskChoice(*prove, options->choice, "2/50", "The device whose bound chooses the rewrites");
    prove->add_option("--seed", options->seed, "Seed of everything that is drawn")->capture_default_str();
    prove->callback([&context, options] { context.exitCode = proveTask(context, *options); });
}

} // namespace kernelarium::cli
