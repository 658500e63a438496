// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/VaryCommand.h"

#include "app/cli/NumberChecks.h"
#include "app/cli/Output.h"
#include "app/cli/RunnerChild.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/schedule/CubinChoice.h"
#include "app/cli/schedule/RandomEdit.h"
#include "app/cli/schedule/VariantRun.h"
#include "core/quantities/Quantities.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/moves/Rescheduler.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/MoveDraw.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace kernelarium::cli {

namespace {

struct VaryOptions {
    CubinChoice choice;
    int count = 10;
    int moves = 300;
    bool edits = false;
    std::uint64_t seed = 1;
    std::string output;
    std::string task;
    std::string size = "small";
    std::string backend;
};

struct VaryOutcome {
    int made = 0;
    int proved = 0;
    std::map<std::string, int> refused; ///< by rule
    long legalMoves = 0;
    double seconds = 0; ///< of moving
    int same = 0;
    std::vector<std::string> different; ///< what came of the others, a sentence each
    std::optional<Error> failure;       ///< of the GPU, which ended it
};

/// One variant of all kernels that were chosen: each walks by itself.
sass::Cubin walked(const sass::Cubin& original, const std::vector<const sass::KernelCode*>& kernels,
                   const VaryOptions& options, int number, VaryOutcome& outcome) {
    sass::Cubin variant = original;
    tuning::Random random(options.seed, std::uint64_t(number));
    // Every other one with stalls as short as they may be: both ways of going wrong are tried.
    const auto rule = number % 2 ? sass::StallRule::tighten : sass::StallRule::keep;
    const auto began = std::chrono::steady_clock::now();
    for (const sass::KernelCode* kernel : kernels) {
        sass::Rescheduler walk(sass::wordsOf(original.code(*kernel)), kernel->listed, original.computeCapability(),
                               sass::minedDistances(), rule);
        const schedule::StaticCost cost(walk.code(), walk.blocks(), original.computeCapability());
        const schedule::MoveDraw moves(walk, cost); // as a search draws
        int done = 0;
        for (int tries = 0; done < options.moves && tries < options.moves * 20; ++tries) {
            const std::optional<sass::Move> move = moves.draw(walk, random);
            done += move && walk.apply(*move);
        }
        outcome.legalMoves += done;
        variant.replace(*kernel, sass::bytesOf(walk.words()));
    }
    outcome.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return variant;
}

/// One random edit of one of the kernels; that it is wrong is for the proof to see.
sass::Cubin edited(const sass::Cubin& original, const std::vector<const sass::KernelCode*>& kernels,
                   const VaryOptions& options, int number) {
    sass::Cubin variant = original;
    std::mt19937_64 random(options.seed * 1'000'003 + std::uint64_t(number));
    const sass::KernelCode& kernel = *kernels[random() % kernels.size()];
    std::vector<sass::Word> words = sass::wordsOf(original.code(kernel));
    constexpr int tries = 1000;
    for (int i = 0; i < tries && !editAnywhere(words, random); ++i) {
    }
    variant.replace(kernel, sass::bytesOf(words));
    return variant;
}

Result<void> written(const sass::Cubin& cubin, const std::string& folder, const std::string& name) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    std::ofstream out(std::filesystem::path(folder) / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(cubin.bytes().data()), std::streamsize(cubin.bytes().size()));
    out.close();
    if (!out) return Error{"unwritable_file", name + " could not be written to " + folder + ".", "Check the folder."};
    return {};
}

void print(const Context& context, const VaryOptions& options, const VaryOutcome& outcome) {
    if (context.json) {
        nlohmann::json j = {
            {"file", options.choice.file},
            {"variants", outcome.made},
            {"proved", outcome.proved},
            {"refused", outcome.refused},
            {"legal_moves", outcome.legalMoves},
            {"moves_per_second", outcome.seconds > 0 ? double(outcome.legalMoves) / outcome.seconds : 0},
            {"ran", !options.backend.empty()},
            {"same", outcome.same},
            {"different", outcome.different}};
        if (const auto& failure = outcome.failure)
            j["error"] = {{"code", failure->code}, {"message", failure->message}, {"action", failure->action}};
        printJson(j);
        return;
    }
    fmt::print("{}: {} of {} proved\n", options.choice.file, outcome.proved,
               quantities::counted(outcome.made, options.edits ? "random edit" : "variant"));
    for (const auto& [rule, times] : outcome.refused)
        fmt::print("  {} refused: {}\n", times, rule);
    if (options.backend.empty()) return;
    fmt::print("{} gave the original's bits on the GPU, {} did not\n", outcome.same, outcome.different.size());
    for (const std::string& one : outcome.different)
        fmt::print("  {}\n", printable(one));
}

int vary(Context& context, const VaryOptions& options) {
    std::unique_ptr<protocol::ScheduleMeasurer> gpu;
    Result<sass::Cubin> original = Error{};
    if (options.backend.empty()) {
        original = chosenCubin(options.choice);
    } else {
        auto prepared = VariantRun::prepare(options.choice, options.task, options.size);
        if (!prepared) return report(context, prepared.error());
        gpu = std::make_unique<protocol::ScheduleMeasurer>((*prepared)->parameters(), "cold", makeRunnerChild);
        original = (*prepared)->cubin();
    }
    if (!original) return report(context, original.error());
    const auto kernels = chosenKernels(*original, options.choice);
    if (!kernels) return report(context, kernels.error());
    for (const sass::KernelCode* kernel : *kernels)
        if (auto movable =
                sass::Rescheduler::check(sass::wordsOf(original->code(*kernel)), original->computeCapability());
            !movable)
            return report(context, movable.error());
    const StopOnSignal signals;
    VaryOutcome outcome;
    for (int number = 0; number < options.count && !signals.token().stop_requested(); ++number) {
        ++outcome.made;
        const sass::Cubin variant = options.edits ? edited(*original, *kernels, options, number)
                                                  : walked(*original, *kernels, options, number, outcome);
        const sass::ScheduleProof proof = sass::proveSchedule(*original, variant, sass::minedDistances());
        if (proof.refusal) {
            const std::string rule(sass::name(proof.refusal->rule));
            ++outcome.refused[options.edits ? rule : rule + ": " + proof.refusal->text];
            continue;
        }
        ++outcome.proved;
        const std::string name = fmt::format("variant.{}.cubin", number);
        if (!options.output.empty())
            if (auto put = written(variant, options.output, name); !put) return report(context, put.error());
        if (!gpu) continue;
        const Result<std::string> difference =
            gpu->differenceOf(variant, options.seed + std::uint64_t(number), signals.token());
        if (!difference && difference.error().code == "cancelled") break;
        if (!difference) {
            outcome.failure = difference.error();
            break;
        }
        if (difference->empty())
            ++outcome.same;
        else
            outcome.different.push_back(name + ": " + *difference);
    }
    print(context, options, outcome);
    if (outcome.failure) {
        if (!context.json) report(context, *outcome.failure);
        return outcome.failure->code == "missing_component" ? exitMissingComponent : exitCheckFailed;
    }
    if (signals.token().stop_requested()) return exitInterrupted;
    const bool isRight = outcome.different.empty() && (options.edits || outcome.refused.empty());
    return isRight ? exitSuccess : exitCheckFailed;
}

} // namespace

void addVaryCommand(CLI::App& group, Context& context) {
    const auto options = std::make_shared<VaryOptions>();
    CLI::App* command = group.add_subcommand(
        "vary",
        "Make variants of a kernel's code by random legal moves, prove each, and with --backend cuda run it beside "
        "the original: every bit of the outputs has to agree");
    addCubinChoice(*command, options->choice);
    command->add_option("--count", options->count, "How many variants")->check(positiveNumber())->capture_default_str();
    command->add_option("--moves", options->moves, "Legal moves of each in each kernel")
        ->check(positiveNumber())
        ->capture_default_str();
    command->add_flag("--edits", options->edits,
                      "In place of moves one random edit of each, which most often is wrong: what the proof lets pass "
                      "has to run right");
    command->add_option("--seed", options->seed, "Seed of the moves and of the inputs")->capture_default_str();
    command->add_option("--output", options->output, "Folder to write the proved variants to")->option_text("FOLDER");
    command->add_option("--task", options->task, "The task that the kernel is called as")->option_text("LEVEL/TASK");
    command->add_option("--size", options->size, sizesHelp)->capture_default_str();
    command->add_option("--backend", options->backend, "cuda: run each proved variant on this machine's GPU")
        ->check(CLI::IsMember({"cuda"}));
    command->callback([options, &context] { context.exitCode = vary(context, *options); });
}

} // namespace kernelarium::cli
