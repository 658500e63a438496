// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/EmitCommand.h"

#include "app/cli/Context.h"
#include "app/cli/superopt/TaskChoice.h"
#include "core/files/WorkFile.h"
#include "core/kernelgen/Emit.h"
#include "core/superopt/candidates/Candidates.h"
#include "core/superopt/search/GraphFile.h"
#include "core/superopt/search/SearchStore.h"

#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

struct EmitOptions {
    TaskChoice choice;
    std::string candidate, out, store, graph = "1";
    bool naive = false;
};

/// Of a graph that a search has found.
struct FoundFile {
    std::string task;
    superopt::FoundCandidate found;
    kernelgen::Emitted file;
};
Result<FoundFile> foundFile(const EmitOptions& options) {
    const Result<superopt::SearchSaid> said = superopt::readSearchStore(options.store);
    if (!said) return said.error();
    const Result<superopt::GraphSearch> search = superopt::graphSearchFrom(said->subject);
    if (!search) return search.error();
    const Result<superopt::FoundTable> table = superopt::FoundTable::read(options.store);
    if (!table) return table.error();
    Result<superopt::FoundCandidate> found = superopt::foundGraph(*table, options.graph);
    if (!found) return found.error();
    Result<kernelgen::Emitted> file = superopt::fileOf(*search, *found);
    if (!file) return file.error();
    return FoundFile{search->card.key(), *std::move(found), *std::move(file)};
}

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

int print(Context& context, const EmitOptions& options, const kernelgen::Emitted& emitted, nlohmann::json about) {
    if (!options.out.empty())
        if (const Result<void> written = writeTo(options.out, emitted.text); !written)
            return report(context, written.error());
    if (context.json) {
        about.update({{"skeleton", emitted.skeleton}, {"why", emitted.why}, {"text", emitted.text}});
        fmt::print("{}\n", about.dump(2));
    } else if (options.out.empty()) {
        fmt::print("{}", emitted.text);
    } else {
        fmt::print("{}: {} ({})\n", options.out, emitted.skeleton, emitted.why);
    }
    return exitSuccess;
}

int emitFound(Context& context, const EmitOptions& options) {
    if (options.naive || !options.candidate.empty() || !options.choice.task.empty() || !options.choice.card.empty())
        return report(context, Error{"bad_usage", "A store says what its graphs are for: give --store and --graph, or "
                                                  "a task and what is to be written for it."});
    const Result<FoundFile> found = foundFile(options);
    if (!found) return report(context, found.error());
    using Verdict = superopt::FoundCandidate::Verdict;
    if (found->found.verdict != Verdict::right)
        fmt::print(stderr, "{} is {}: nothing says that this file is right.\n", found->found.hash,
                   superopt::name(found->found.verdict));
    return print(
        context, options, found->file,
        {{"task", found->task}, {"graph", found->found.hash}, {"verdict", superopt::name(found->found.verdict)}});
}

int emitKernel(Context& context, const EmitOptions& options) {
    if (options.naive && !options.candidate.empty())
        return report(context, Error{"bad_usage", "--naive is the candidate naive: give one of the two."});
    if (!options.store.empty()) return emitFound(context, options);
    const Result<task::Card> card = chosenCard(options.choice);
    if (!card) return report(context, card.error());
    const auto device = chosenDevice(options.choice);
    if (!device) return report(context, device.error());
    const Result<kernelgen::Emitted> emitted = fileFor(*card, **device, options);
    if (!emitted) return report(context, emitted.error());
    return print(context, options, *emitted, {{"task", card->key()}});
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
    CLI::Option* store = emit->add_option("--store", options->store, "Of a graph that a search has found: its store")
                             ->option_text("FILE.graphs");
    emit->add_option("--graph", options->graph,
                     "Which one: its hash, the beginning of it, or its number in the table of `superopt found`")
        ->option_text("HASH|N")
        ->default_str("1")
        ->needs(store);
    emit->add_option("--out", options->out, "Write here; standard output by default")->option_text("FILE.cu");
    emit->callback([&context, options] { context.exitCode = emitKernel(context, *options); });
}

} // namespace kernelarium::cli
