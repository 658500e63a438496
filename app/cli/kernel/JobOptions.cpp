// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveChoice.h"
#include "app/cli/Context.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/KernelJob.h"

#include <CLI/CLI.hpp>

namespace kernelarium::cli {

namespace {

constexpr const char* argumentHelp =
    "One argument of forward, in call order; repeat it. float32[128,256] (a tensor of normal numbers; also\n"
    "float32[8]~uniform(0,1), ~normal(0,2), ~constant(1), int64[8]~integer(0,9)), 3, 0.5, true, none, \"text\",\n"
    "(float32[4], 2) for a list; float32[8]~out for one that the function writes, float32[8]~constant(0)~out for one\n"
    "that it updates. Instead of a task's own arguments";

} // namespace

void addJobOptions(CLI::App& command, JobOptions& options) {
    options.archive = defaultArchivePath();
    auto* file = command.add_option("file", options.file, "A kernel in the archive's form")->option_text("FILE.cu");
    auto* kernel =
        command.add_option("--kernel", options.kernelId, "A kernel of the archive: its number, label or unique name");
    kernel->option_text("ID")->excludes(file);
    command.add_option("--db", options.archive, "The archive file")->option_text("FILE");
    command
        .add_option("--task", options.task,
                    "The task it solves; else the archive's, or that of a first line `// kernelarium: task 1/1`")
        ->option_text("LEVEL/TASK");
    command.add_option("--card", options.card, "A task card of your own, as `task export` writes them")
        ->option_text("CARD.json");
    command
        .add_option("--python", options.python, "The Python with PyTorch that exports the card of a task that has none")
        ->option_text("PATH");
    command.add_option("--reference", options.reference, "Another kernel whose result counts as right")
        ->option_text("OTHER.cu");
    // Not a vector option of CLI11's, which would read [ ] and commas in its own way.
    command
        .add_option_function<std::string>(
            "--arg", [&options](const std::string& text) { options.arguments.push_back(text); }, argumentHelp)
        ->option_text("VALUE")
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    command
        .add_option_function<std::size_t>(
            "--out", [&options](std::size_t place) { options.outputs.push_back(place); },
            "With a task: a parameter that the function writes instead of returning a result, from 0; may be "
            "repeated. By default the last ones of a function that returns nothing and is not called forward")
        ->option_text("NUMBER")
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    command.add_option("--backend", options.backend, "Where it runs")
        ->check(CLI::IsMember({"emulator", "cuda"}))
        ->capture_default_str();
    addPlaceOptions(command, options.place);
    const bool takesBoth = command.get_name() == "verify";
    command.add_option("--size", options.size, std::string(sizesHelp) + (takesBoth ? "; both: small, then full" : ""))
        ->check([takesBoth](const std::string& size) {
            return size == "both" && !takesBoth ? "only `verify` takes both sizes" : "";
        })
        ->capture_default_str();
    command
        .add_option("--function", options.function,
                    "Which of the module's functions is called; else forward, or the only one there is")
        ->option_text("NAME");
    command
        .add_option("--arch", options.arch,
                    "Architecture to compile for; else the GPU's with --backend cuda, sm_90 without")
        ->option_text("SM");
    command.add_option("--seed", options.seed, "Seed of the inputs")->capture_default_str();
    command.add_flag("--fast-math", options.fastMath, "Compile with --use_fast_math, as the archive was");
    addCompilerOptions(command, options.compilerWords);
    command.add_flag("--no-checks", options.noChecks, "Skip memory checks and the checks that run the kernel again");
    command.add_flag("--exact-sums", options.exactSums,
                     "Add the products of matrix instructions bit for bit as a Hopper GPU does, more slowly; by "
                     "default they are added one by one in float32 or wider, which differs in the last bits");
    command.add_flag("--every-block", options.everyBlock,
                     "At full size, execute whole grids however long they take; by default only a share of the blocks "
                     "of launches that would take over a minute, and the verdict says so");
    command.add_option("--time-limit", options.timeLimit, "Seconds for all runs together; of a program 600 by default")
        ->each([&options](const std::string&) { options.timeLimitGiven = true; })
        ->check(CLI::Range(0.01, 86400.0))
        ->capture_default_str();
    command
        .add_option("--gpu-memory", options.gpuMegabytes,
                    "With --backend cuda: most megabytes of the GPU's memory to use for kernel, inputs and reference "
                    "together; 0: all that is free")
        ->check(CLI::Range(0, 16'777'216))
        ->capture_default_str();
    if (command.get_name() == "tune") return; // its --jobs are points
    command.add_option("--jobs", options.jobs, "Threads of the emulator; 0: one per core")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
}

} // namespace kernelarium::cli
