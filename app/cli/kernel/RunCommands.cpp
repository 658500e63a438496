// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/DeviceWords.h"
#include "app/cli/NumberChecks.h"
#include "app/cli/Output.h"
#include "app/cli/kernel/CountersReport.h"
#include "app/cli/kernel/KernelJob.h"
#include "app/cli/kernel/OccupancyCommand.h"
#include "app/cli/kernel/StallsCommand.h"
#include "app/cli/kernel/StepReport.h"
#include "app/cli/kernel/TensorsReport.h"
#include "app/cli/kernel/TimeCommand.h"
#include "app/cli/kernel/VerdictReport.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

/// What is refused before anything is read.
Result<void> checkOptions(const JobOptions& options) {
    if (options.file.empty() && options.kernelId.empty())
        return Error{"bad_usage", "No kernel was given.", "Give FILE.cu or --kernel ID."};
    if (!options.outputs.empty() && !options.arguments.empty())
        return Error{"bad_usage", "--out is for a task's arguments.",
                     "Say which of your own is an output there: --arg \"float32[128]~out\"."};
    return {};
}

void addCompileFacts(nlohmann::json& j, const PreparedJob& job) {
    const nlohmann::json unit = protocol::unitToJson(job.unit(), {});
    j["kernel"] = job.source.label;
    j["task"] = job.task ? nlohmann::json(job.task->text()) : nlohmann::json(nullptr);
    j["diagnostics"] = unit.at("diagnostics");
    if (unit.contains("diagnostics_left_out")) j["diagnostics_left_out"] = unit.at("diagnostics_left_out");
    j["resources"] = unit.at("kernels");
}

std::string labelOf(const PreparedJob& job) {
    return job.source.label + (job.task ? "  (task " + job.task->text() + ")" : "");
}

void runVerify(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkOptions(options); !checked) return void(report(context, checked.error()));
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    const Result<protocol::VerdictAnswer> answer = work.verify(*job);
    if (!answer) return void(report(context, answer.error()));
    const verify::Verdict& verdict = answer->verdict;
    if (context.json) {
        nlohmann::json j = verify::toJson(verdict);
        addCompileFacts(j, *job);
        printJson(j);
    } else {
        fmt::print("{}", verdictText(verdict, labelOf(*job), job->source.text, options.explain));
    }
    context.exitCode = verdict.kind == verify::VerdictKind::verified ? exitSuccess : exitCheckFailed;
}

void runOnce(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkOptions(options); !checked) return void(report(context, checked.error()));
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    protocol::RunSummary summary;
    if (job->unit().ok) {
        Result<protocol::RunSummary> ran = work.run(*job);
        if (!ran) return void(report(context, ran.error()));
        summary = std::move(*ran);
    } else {
        summary.end = job->unit().failedStage == "unsupported" ? "unsupported" : "compile_error";
        summary.reason = job->unit().failedStage + ":\n" + protocol::errorsText(job->unit());
        summary.backend = options.backend;
        summary.size = options.size;
        summary.seed = options.seed;
    }
    if (job->unit().isProgram) summary.size.clear(); // it has the sizes that it makes
    if (context.json) {
        nlohmann::json j = protocol::toJson(summary);
        addCompileFacts(j, *job);
        printJson(j);
    } else {
        fmt::print("{}{}", runText(summary, labelOf(*job), job->source.text),
                   countersText(summary.counters, job->source.text));
    }
    const bool program = job->unit().isProgram;
    const bool found = program && (!summary.faults.empty() || !summary.guardViolations.empty());
    context.exitCode = summary.end == "finished" && !found ? exitSuccess : exitCheckFailed;
}

void runProfile(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkOptions(options); !checked) return void(report(context, checked.error()));
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    if (!job->unit().ok)
        return void(report(context, {"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                                     protocol::errorsText(job->unit())}));
    Result<protocol::ProfileSummary> summary = work.profile(*job);
    if (!summary) return void(report(context, summary.error()));
    if (context.json) {
        nlohmann::json j = protocol::toJson(*summary);
        addCompileFacts(j, *job);
        printJson(j);
    } else {
        fmt::print("{}", profileText(*summary, labelOf(*job), job->source.text));
    }
    context.exitCode = summary->end == "finished" ? exitSuccess : exitCheckFailed;
}

void runStep(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkOptions(options); !checked) return void(report(context, checked.error()));
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    if (!job->unit().ok)
        return void(report(context, {"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                                     protocol::errorsText(job->unit())}));
    auto recording = work.record(*job);
    if (!recording) return void(report(context, recording.error()));
    if (context.json) {
        nlohmann::json j = protocol::toJson(**recording);
        addCompileFacts(j, *job);
        j["kernel"] = (*recording)->kernel;
        printJson(j);
    } else {
        fmt::print("{}", stepText(**recording, labelOf(*job), job->source.text));
    }
    const bool missed = options.record.line > 0 && !(*recording)->lineStep;
    context.exitCode = missed ? exitCheckFailed : exitSuccess;
}

void lookIntoTensors(const JobOptions& options, Context& context) {
    if (Result<void> checked = checkOptions(options); !checked) return void(report(context, checked.error()));
    runTensors(options, context);
}

void addJobCommand(CLI::App& app, Context& context, const char* name, const char* description,
                   void (*action)(const JobOptions&, Context&), void (*addMore)(CLI::App&, JobOptions&) = nullptr) {
    CLI::App* command = app.add_subcommand(name, description);
    const auto options = std::make_shared<JobOptions>();
    addJobOptions(*command, *options);
    if (addMore) addMore(*command, *options);
    for (CLI::Option* option : command->get_options()) // `addMore` may have set others than those that help would name
        if (!option->get_default_str().empty()) option->capture_default_str();
    command->callback([options, &context, action] { action(*options, context); });
}

} // namespace

void addRunCommands(CLI::App& app, Context& context) {
    addJobCommand(
        app, context, "run",
        "Run a kernel's forward once and describe its outputs, or a program with a main of its own: exit code "
        "0 when it ran to its end and, of a program, no check found anything",
        runOnce, [](CLI::App& command, JobOptions& options) {
            command
                .add_option("arguments", options.programArguments,
                            "Behind `--`: what the main of a program is called with")
                ->option_text("-- ARGUMENTS");
            command.add_flag("--counters", options.counters,
                             "Count instructions, sectors, conflicts and divergence by launch and source line");
            command
                .add_option("--native-code", options.nativeCode,
                            "With --backend cuda: run this cubin's code in place of what the text compiles to")
                ->option_text("FILE.cubin");
        });
    addJobCommand(app, context, "verify",
                  "Verify a kernel and show the evidence: exit code 0 when it is verified, else 1", runVerify,
                  [](CLI::App& command, JobOptions& options) {
                      command.add_flag("--explain", options.explain, "Explain what each check is for");
                      auto* time = command.add_option(
                          "--claimed-ms", options.claimedMilliseconds,
                          "A time claimed for one call at full size: compared with the best that the device could do");
                      time->check(positiveNumber())->option_text("MS");
                      command
                          .add_option("--claimed-on", options.claimedDevice,
                                      "Device of that time; " + options.claimedDevice + " by default")
                          ->option_text(deviceWords())
                          ->capture_default_str();
                  });
    addJobCommand(app, context, "profile",
                  "Execute a share of a kernel's blocks at full size and model its time on a device", runProfile,
                  [](CLI::App& command, JobOptions& options) {
                      options.size = "full";
                      command
                          .add_option("--device", options.device,
                                      "Device whose time is modelled; " + options.device + " by default")
                          ->option_text(deviceWords())
                          ->capture_default_str();
                  });
    addJobCommand(app, context, "stalls",
                  "Show what a kernel's warps wait for, line by line, as Nsight Compute samples it on this machine's "
                  "GPU. Neither the emulator nor the archive's profiles know that by line",
                  runStalls, [](CLI::App&, JobOptions& options) { options.size = "full"; });
    CLI::App* occupancy = app.add_subcommand(
        "occupancy", "Show how many blocks a multiprocessor holds at a time, what limits them and what would be the "
                     "next step: of a kernel's launches, or of numbers. Exit code 1 if a block does not fit");
    const auto placed = std::make_shared<OccupancyOptions>();
    placed->job.size = "full";
    addJobOptions(*occupancy, placed->job);
    addOccupancyOptions(*occupancy, *placed);
    occupancy->callback([placed, &context] { runOccupancy(*placed, context); });
    addJobCommand(app, context, "step",
                  "Show what one block of one launch did, warp instruction by warp instruction: exit code 1 if it "
                  "never reached the requested line",
                  runStep, addStepOptions);
    addJobCommand(app, context, "tensors",
                  "Show what the inputs and outputs of a kernel hold, where they are wrong, and which thread and line "
                  "wrote an element: exit code 1 if elements are wrong",
                  lookIntoTensors, addTensorsOptions);
    addJobCommand(app, context, "time", "Measure a kernel's time on a GPU: exit code 1 if it is not right", runTime,
                  addTimeOptions);
}

} // namespace kernelarium::cli
