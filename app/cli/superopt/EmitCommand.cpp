// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/EmitCommand.h"

#include "app/cli/Context.h"
#include "core/audit/RowCard.h"
#include "core/files/WorkFile.h"
#include "core/kernelgen/Emit.h"
#include "core/task/Card.h"

#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

struct EmitOptions {
    std::string task, card, out;
    bool naive = false;
};

Result<task::Card> cardToEmit(const EmitOptions& options) {
    if (!options.card.empty()) return audit::readCardFile(options.card);
    const Result<task::TaskKey> key = task::parseTaskKey(options.task);
    if (!key) return key.error();
    return task::loadCard(key->level, key->task);
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

int emitKernel(Context& context, const EmitOptions& options) {
    if (options.task.empty() == options.card.empty())
        return report(context, Error{"bad_usage", "One of --task and --card says what to write a kernel for."});
    const Result<task::Card> card = cardToEmit(options);
    if (!card) return report(context, card.error());
    const Result<kernelgen::Emitted> emitted =
        options.naive ? kernelgen::emitNaive(*card) : kernelgen::emitFused(*card);
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
    emit->add_option("--task", options->task, "Task as LEVEL/TASK, for example 1/23");
    emit->add_option("--card", options->card, "A task card of your own, as `task export` writes them")
        ->option_text("CARD.json");
    emit->add_flag("--naive", options->naive, "One kernel for each formula and nothing fused, for any task");
    emit->add_option("--out", options->out, "Write here; standard output by default")->option_text("FILE.cu");
    emit->callback([&context, options] { context.exitCode = emitKernel(context, *options); });
}

} // namespace kernelarium::cli
