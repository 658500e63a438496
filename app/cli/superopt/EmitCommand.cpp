// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/EmitCommand.h"

#include "app/cli/Context.h"
#include "app/cli/superopt/TaskChoice.h"
#include "core/files/WorkFile.h"
#include "core/kernelgen/Emit.h"
#include "core/superopt/candidates/Candidates.h"

#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

struct EmitOptions {
    TaskChoice choice;
    std::string candidate, out;
    bool naive = false;
};

Result<void> writeTo(const std::string& file, const std::string& text) {
    Result<files::WorkFile> work = files::WorkFile::begin(file);
    if (!work) return work.error();
    std::ofstream stream(work->path(), std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) return Error{"unwritable_file", fmt::format("{} could not be written.", file)};
    return work->commit();
}

/// The naive file needs no choice; of the others, the one that was asked for, or the fastest by the model.
Result<kernelgen::Emitted> fileFor(const task::Card& card, const perf::DeviceSpec& device, const EmitOptions& options) {
    if (options.naive) return kernelgen::emitNaive(card, {options.choice.size, {}, {}});
    const Result<superopt::Candidates> candidates = superopt::candidatesOf(card, options.choice.size, device);
    if (!candidates) return candidates.error();
    const Result<const superopt::Candidate*> chosen = superopt::named(*candidates, options.candidate);
    if (!chosen) return chosen.error();
    return (*chosen)->file;
}

int emitKernel(Context& context, const EmitOptions& options) {
    if (options.naive && !options.candidate.empty())
        return report(context, Error{"bad_usage", "--naive is the candidate naive: give one of the two."});
    const Result<task::Card> card = chosenCard(options.choice);
    if (!card) return report(context, card.error());
    const auto device = chosenDevice(options.choice);
    if (!device) return report(context, device.error());
    const Result<kernelgen::Emitted> emitted = fileFor(*card, **device, options);
    if (!emitted) return report(context, emitted.error());
    if (!options.out.empty())
        if (const Result<void> written = writeTo(options.out, emitted->text); !written)
            return report(context, written.error());
    if (context.json)
        fmt::print("{}\n", nlohmann::json{{"task", card->key()},
                                          {"skeleton", emitted->skeleton},
                                          {"why", emitted->why},
                                          {"text", emitted->text}}
                               .dump(2));
    else if (options.out.empty())
        fmt::print("{}", emitted->text);
    else
        fmt::print("{}: {} ({})\n", options.out, emitted->skeleton, emitted->why);
    return exitSuccess;
}

} // namespace

void addEmitCommand(CLI::App& group, Context& context) {
    const auto options = std::make_shared<EmitOptions>();
    CLI::App* emit = group.add_subcommand(
        "emit", "Write a kernel file for a task, to run, to read and to edit: right at every size of its tensors");
    addTaskChoice(*emit, options->choice, "1/23", "The device whose modelled time chooses among the candidates");
    emit->add_option("--candidate", options->candidate,
                     "One of those that `superopt show` lists, in place of the first")
        ->option_text("NAME");
    emit->add_flag("--naive", options->naive, "One kernel for each formula and nothing fused, for any task");
    emit->add_option("--out", options->out, "Write here; standard output by default")->option_text("FILE.cu");
    emit->callback([&context, options] { context.exitCode = emitKernel(context, *options); });
}

} // namespace kernelarium::cli
